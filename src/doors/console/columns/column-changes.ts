import { chooseColumns, forgetColumns } from '../../../registry/people/column-choice.ts';
import { CHECKED } from '../../html/form.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { type ConsoleChange, type ConsolePage, consoleAddress } from '../console-page.ts';
import { contactColumns } from '../contacts/contact-columns.ts';
import { contactsPage, contactViews } from '../contacts/contacts-page.ts';
import { domainColumns } from '../domains/domain-columns.ts';
import { domainsPage, domainViews } from '../domains/domains-page.ts';
import { NOTHING_DONE } from '../form-context.ts';
import type { Viewed } from '../views/views-bar.ts';
import { type Columned, columnsOwner } from './column-menu.ts';

/** What a person chooses to see of a list. */
const choiceOf = (page: ConsolePage, columned: Columned<string>, viewed: Viewed): ConsoleChange =>
  defineAtOnce({
    path: `/columns/${columned.list}`,
    right: page.right,
    page,
    load: async ({ policy }, visit, input) => viewed.parameters(input, visit, policy) ?? {},
    read: (form, _parameters: Readonly<Record<string, string>>, _parts, visit) => {
      const sent = form.fields('column');
      return {
        value: {
          owner: columnsOwner(columned, visit),
          columns:
            form.field('initial') === CHECKED
              ? undefined
              : columned.columns.filter((name) => sent.includes(name)),
        },
      };
    },
    run: async ({ writes }, { owner, columns }) => {
      await (columns ? chooseColumns(writes, owner, columns) : forgetColumns(writes, owner));
      return NOTHING_DONE;
    },
    to: (parameters) => consoleAddress(columned.path, parameters),
    done: 'columnsChosen',
  });

export const columnChanges: readonly ConsoleChange[] = [
  choiceOf(domainsPage, domainColumns, domainViews),
  choiceOf(contactsPage, contactColumns, contactViews),
];
