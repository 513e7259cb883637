import { normaliseText } from '../../../platform/values/normalise-text.ts';
import type { AddressPurpose, ListedRange } from '../../../registry/registrars/address-list.ts';
import { allowAddresses } from '../../../registry/registrars/allow-addresses.ts';
import { disallowAddresses } from '../../../registry/registrars/disallow-addresses.ts';
import { listAllowedAddresses } from '../../../registry/registrars/list-allowed-addresses.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { asPerson } from '../form-context.ts';
import { type ConsoleChange, consoleAddress, type FormInput, type Visit } from '../console-page.ts';
import { accessPage } from './access-page.ts';

const MAX_NOTE = 100;

const LIST = {
  right: 'access',
  needsRecentLogin: true,
  page: accessPage,
  fields: ['api-range', 'api-note', 'console-range', 'console-note'],
  names: (form: FormInput) => ({ range: `${purposeOf(form)}-range` }),
  to: () => consoleAddress('/access'),
} as const;

const purposeOf = ({ field }: FormInput): AddressPurpose =>
  field('purpose') === 'console' ? 'console' : 'api';

/** Whoever changes the list of people must not shut itself out. */
const rangeOf = (purpose: AddressPurpose, range: string, { session, client }: Visit): ListedRange => ({
  registrar: session.registrarCode,
  range,
  purpose,
  ownAddress: purpose === 'console' ? client.address : undefined,
});

/** The two lists of addresses of the registrar. */
export const addressChanges: readonly ConsoleChange[] = [
  defineAtOnce({
    ...LIST,
    path: '/access/addresses',
    load: async () => ({}),
    read: (form, _lists, _parts, visit) => {
      const purpose = purposeOf(form);
      const note = normaliseText(form.field(`${purpose}-note`).trim(), MAX_NOTE) ?? '';
      return { value: { ...rangeOf(purpose, form.field(`${purpose}-range`).trim(), visit), note } };
    },
    run: asPerson(allowAddresses),
    done: 'addressAllowed',
    undo: (_lists, { purpose, range }) => ({ path: '/access/addresses/remove', fields: { purpose, range } }),
  }),
  defineAtOnce({
    ...LIST,
    path: '/access/addresses/remove',
    // With its note, which is put on the list again with it.
    load: async ({ database }, { session }, form) => {
      const listed = await listAllowedAddresses(database.reads, session.registrarCode, purposeOf(form));
      return { note: listed.find(({ range }) => range === form.field('range'))?.note ?? '' };
    },
    read: (form, _listed, _parts, visit) => ({
      value: rangeOf(purposeOf(form), form.field('range'), visit),
    }),
    run: asPerson(disallowAddresses),
    overtaken: ['addressRangeInvalid', 'addressesNotListed'],
    done: 'addressDisallowed',
    undo: ({ note }, { purpose, range }) => ({
      path: '/access/addresses',
      fields: { purpose, [`${purpose}-range`]: range, [`${purpose}-note`]: note },
    }),
  }),
];
