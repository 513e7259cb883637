import { textOfDay } from '../../../platform/values/dates.ts';
import type { Outcome } from '../../../operations/run-operation.ts';
import {
  MAX_VIEW_QUERY,
  MAX_VIEWS,
  parseViewName,
  withMovingDays,
} from '../../../registry/people/saved-view.ts';
import {
  removeView,
  renameView,
  restoreView,
  saveView,
  type ViewOutcome,
} from '../../../registry/people/saved-views.ts';
import { CHECKED } from '../../html/form.ts';
import { defineAtOnce } from '../at-once-form.ts';
import {
  type ConsoleChange,
  type ConsolePage,
  type ConsoleParts,
  consoleAddress,
  type FormInput,
  type Visit,
} from '../console-page.ts';
import { contactsPage, contactViews } from '../contacts/contacts-page.ts';
import { domainsPage, domainViews } from '../domains/domains-page.ts';
import { found, NOTHING_DONE } from '../form-context.ts';
import { refusal, refuse } from '../form-refusals.ts';
import { messagesPage, messageViews } from '../messages/messages-page.ts';
import { balancePage, balanceViews } from '../money/balance-page.ts';
import { invoicesPage, invoiceViews } from '../money/invoices-page.ts';
import { ownerOf, type Viewed } from './views-bar.ts';

const NAME = 'view_name';

function outcomeOf(outcome: ViewOutcome): Outcome<undefined> {
  if (outcome === 'missing') refuse('objectMissing');
  if (outcome === 'nameTaken') refuse('viewNameTaken', { field: NAME });
  if (outcome === 'tooMany') refuse('tooManyViews', { field: NAME, most: MAX_VIEWS });
  return NOTHING_DONE;
}

const ID = /^[1-9]\d{0,14}$/;
/** That of no view where it is none. */
const readId = ({ field }: FormInput): number => (ID.test(field('view')) ? Number(field('view')) : 0);
const NAME_WRONG = { refusals: [refusal('viewNameWrong', { field: NAME })] };

/** What a person does with its own views of a list. */
function changesOf(page: ConsolePage, viewed: Viewed): ConsoleChange[] {
  type Parameters = Readonly<Record<string, string>>;
  const ofList = {
    right: page.right,
    page,
    load: async ({ policy }: ConsoleParts, visit: Visit, input: FormInput) =>
      viewed.parameters(input, visit, policy) ?? {},
    to: (parameters: Parameters) => consoleAddress(viewed.path, parameters),
    /** In another tab, or by a second click. */
    overtaken: ['objectMissing'],
  };
  const path = (change: string) => `/views/${viewed.list}/${change}`;
  const save = defineAtOnce({
    ...ofList,
    path: path('save'),
    fields: [NAME, 'moving'],
    read: ({ field }, parameters: Parameters, { policy }, visit) => {
      const name = parseViewName(field(NAME));
      if (name === undefined) return NAME_WRONG;
      const today = textOfDay(policy.timeZone, visit.now);
      const kept = field('moving') === CHECKED ? withMovingDays(parameters, today) : parameters;
      const query = new URLSearchParams(kept).toString();
      if (query === '') return { refusals: [refusal('viewEmpty')] };
      if (query.length > MAX_VIEW_QUERY) return { refusals: [refusal('viewTooLong')] };
      return { value: { owner: ownerOf(viewed, visit), name, query } };
    },
    run: async ({ writes }, { owner, name, query }, { now }) =>
      outcomeOf(await saveView(writes, owner, { name, query, now })),
    done: 'viewSaved',
  });
  const rename = defineAtOnce({
    ...ofList,
    path: path('rename'),
    fields: [NAME],
    read: (form, _parameters: Parameters, _parts, visit) => {
      const name = parseViewName(form.field(NAME));
      return name === undefined
        ? NAME_WRONG
        : { value: { owner: ownerOf(viewed, visit), id: readId(form), name } };
    },
    run: async ({ writes }, { owner, ...view }) => outcomeOf(await renameView(writes, owner, view)),
    done: 'viewRenamed',
  });
  const ofOne = {
    ...ofList,
    read: (form: FormInput, _parameters: Parameters, _parts: ConsoleParts, visit: Visit) => ({
      value: { owner: ownerOf(viewed, visit), id: readId(form) },
    }),
  };
  const remove = defineAtOnce({
    ...ofOne,
    path: path('remove'),
    run: ({ writes }, { owner, id }) => found(removeView(writes, owner, { id })),
    done: 'viewRemoved',
    undo: (_parameters, { id }) => ({ path: path('restore'), fields: { view: String(id) } }),
  });
  const restore = defineAtOnce({
    ...ofOne,
    path: path('restore'),
    run: async ({ writes }, { owner, id }) => outcomeOf(await restoreView(writes, owner, { id })),
    done: 'viewRestored',
  });
  return [save, rename, remove, restore];
}

export const viewChanges: readonly ConsoleChange[] = [
  ...changesOf(domainsPage, domainViews),
  ...changesOf(contactsPage, contactViews),
  ...changesOf(messagesPage, messageViews),
  ...changesOf(balancePage, balanceViews),
  ...changesOf(invoicesPage, invoiceViews),
];
