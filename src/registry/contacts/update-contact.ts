import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { part, parts } from '../../platform/sql/with.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Decided, Operation, Plan, Request } from '../operation.ts';
import { changedStatuses, checkStatusChanges, type StatusChanges } from './client-statuses.ts';
import {
  checkNoStatusAmong,
  type FoundWholeContact,
  loadWholeContacts,
  requireOwnContact,
  type StoredContact,
  type WholeContact,
} from './contact.ts';
import { type AuthInfo, type ContactChanges, checkSymbolsInPersonName } from './contact-fields.ts';
import { refusal } from './contact-refusals.ts';
import type { Ident, IdentPart } from './ident.ts';
import { persistContacts } from './persist-contacts.ts';

export type ContactChange = StatusChanges & { readonly code: string; readonly fields: ContactChanges };
type UpdatePlan = Plan<WholeContact> & {
  readonly before: StoredContact;
  readonly after: StoredContact;
  /** Only if it changes; it must not reach history. */
  readonly authInfo?: AuthInfo;
};

const PROHIBITING = [
  'clientUpdateProhibited',
  'serverUpdateProhibited',
  'clientDeleteProhibited',
  'serverDeleteProhibited',
  'clientTransferProhibited',
  'serverTransferProhibited',
  'pendingCreate',
  'pendingUpdate',
  'pendingDelete',
  'pendingTransfer',
];

export const updateContact: Operation<ContactChange, FoundWholeContact, UpdatePlan> = {
  async load(db, input, context) {
    const [found] = await loadAll(db, [{ input, context }]);
    if (!found) throw new Error('nothing was loaded for a contact');
    return found;
  },

  decide(found, change, { policy }) {
    const contact = requireOwnContact(found);
    requireNone(checkUpdatable(contact, change, policy));
    requireNone([
      ...checkStatusChanges(contact.statuses, change, policy),
      ...checkFields(change.fields, contact, policy),
    ]);
    const { identPart: _, authInfo, ...fields } = change.fields;
    const after = { ...contact, ...fields, statuses: changedStatuses(contact.statuses, change) };
    const answer = { code: contact.code, contact: after, links: found.links };
    return { answer, before: contact, after, ...(authInfo !== undefined && { authInfo }) };
  },

  persist: (db, plan, context) => persistAll(db, [{ plan, context }]),
  batch: {
    load: loadAll,
    persist: persistAll,
  },
};

/** All are read by one policy. */
async function loadAll(db: Sql, requests: readonly Request<ContactChange>[]): Promise<FoundWholeContact[]> {
  const [first] = requests;
  if (!first) return [];
  const asked = requests.map(({ input: { code }, context: { principal } }) => ({ code, principal }));
  return loadWholeContacts(db, asked, first.context.policy);
}

async function persistAll(db: Sql, decided: readonly Decided<UpdatePlan>[]): Promise<void> {
  const contacts = decided.map(({ plan, context }) => ({ ...plan, context }));
  await persistContacts(db, 'update', contacts, contacts.length === 1 ? UPDATED : UPDATED_UNLESS_LOCKED);
}

const updated = (condition: Fragment): Fragment => sql`
  update contacts c set name = w.name, name_key = w.name_key, email = w.email, phone = w.phone,
    street = w.street, city = w.city, state = w.state, postal_code = w.postal_code, country_code = w.country_code,
    auth_info = coalesce(w.auth_info, c.auth_info), statuses = w.statuses,
    disclosed_attributes = w.disclosed_attributes, reference = w.reference, updated_at = w.at
  from wanted w where c.id = w.id and c.version = w.version ${condition}
  returning c.id, c.code as name`;

const UPDATED = part('changed', ['wanted'], updated(sql``));

/** A row that another transaction has locked fails the batch at once: no request waits for the lock of another's contact. */
const UPDATED_UNLESS_LOCKED = parts(
  part(
    'locked',
    ['wanted'],
    sql`select c.id from contacts c join wanted w on w.id = c.id order by c.id for no key update of c skip locked`,
    { isMaterialized: true },
  ),
  part(
    'changed',
    ['wanted', 'locked'],
    updated(sql`and (select count(*) from locked) = (select count(*) from wanted)`),
  ),
);

/** What forbids a change of a contact, whatever its fields say. */
export const checkUpdatable = (
  contact: Pick<StoredContact, 'statuses'>,
  change: ContactChange,
  policy: Policy,
): Refusal[] => checkNoStatusAmong(contact, prohibitingStatuses(change, policy));

/**
 * A status that registrars may set has the meaning of RFC 5733: only clientUpdateProhibited prohibits an update, unless
 * it is merely removed. Otherwise all of them do.
 */
function prohibitingStatuses(
  { fields, addStatuses = [], removeStatuses = [] }: ContactChange,
  { contacts: { clientStatuses } }: Policy,
): readonly string[] {
  const onlyRemoves = Object.keys(fields).length === 0 && addStatuses.length === 0;
  const isLifted = (status: string) =>
    status === 'clientUpdateProhibited'
      ? onlyRemoves && removeStatuses.includes(status)
      : clientStatuses.some((known) => known === status);
  return PROHIBITING.filter((status) => !isLifted(status));
}

/** A failure of the name is reported once the identification is right. */
function checkFields({ identPart, name }: ContactChanges, stored: StoredContact, policy: Policy): Refusal[] {
  if (identPart && differs(identPart, stored.ident)) return [refusal('identUnchangeable', { at: ['ident'] })];
  const incomplete = identPart ? checkComplete(identPart) : [];
  return incomplete.length > 0 ? incomplete : checkSymbolsInPersonName(name, stored.ident, policy);
}

const differs = (given: IdentPart, stored: Ident): boolean =>
  Object.entries(given).some(([member, value]) => stored[member as keyof Ident] !== value);

const checkComplete = (given: IdentPart): Refusal[] =>
  (['ident', 'type', 'countryCode'] as const).flatMap((member) =>
    member in given ? [] : [refusal('fieldMissing', { at: ['ident', member] })],
  );
