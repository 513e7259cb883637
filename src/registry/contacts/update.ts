import { storeAnswer } from '../../operations/idempotency.ts';
import { type Refusal, requireNone } from '../../operations/refusal.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import type { Policy } from '../../policy/policy.ts';
import { authorOf, recordHistory, requireRows } from '../history/history.ts';
import { storeLegalDocuments } from '../legal-documents.ts';
import type { Operation, Plan } from '../operation.ts';
import { refusal } from '../refusals.ts';
import { changedStatuses, checkStatusChanges, type StatusChanges } from './client-statuses.ts';
import {
  type FoundContact,
  loadContact,
  requireNoStatusAmong,
  requireOwnContact,
  type StoredContact,
  shownInHistory,
} from './contact.ts';
import { type AuthInfo, type ContactChanges, checkSymbolsInPersonName, searchKey } from './contact-fields.ts';
import type { Ident, IdentPart } from './ident.ts';

export type ContactChange = StatusChanges & { readonly code: string; readonly fields: ContactChanges };
type UpdatePlan = Plan & {
  readonly before: StoredContact;
  readonly after: StoredContact;
  /** Only if it changes; it must not reach history. */
  readonly authInfo?: AuthInfo;
};

const PROHIBITING = [
  ...['clientUpdateProhibited', 'serverUpdateProhibited', 'clientDeleteProhibited', 'serverDeleteProhibited'],
  ...['clientTransferProhibited', 'serverTransferProhibited'],
  ...['pendingCreate', 'pendingUpdate', 'pendingDelete', 'pendingTransfer'],
];

export const updateContact: Operation<ContactChange, FoundContact, UpdatePlan> = {
  load: (db, { code }, { principal }) => loadContact(db, code, principal),

  decide(found, change, { policy }) {
    const contact = requireOwnContact(found);
    requireNoStatusAmong(contact, prohibitingStatuses(change, policy));
    requireNone([
      ...checkStatusChanges(contact.statuses, change, policy),
      ...checkFields(change.fields, contact, policy),
    ]);
    const { identPart: _, authInfo, ...fields } = change.fields;
    const after = { ...contact, ...fields, statuses: changedStatuses(contact.statuses, change) };
    const answer = { contact: { code: contact.code } };
    return { answer, before: contact, after, ...(authInfo !== undefined && { authInfo }) };
  },

  async persist(db, { answer, before, after, authInfo = null }, context) {
    const { address } = after;
    const changed = part(
      'changed',
      ['stored'],
      sql`
        update contacts set name = ${after.name}, name_key = ${searchKey(after.name)}, email = ${after.email}, phone = ${after.phone},
          street = ${address?.street ?? null}::text[], city = ${address?.city ?? null}, state = ${address?.state ?? null},
          postal_code = ${address?.postalCode ?? null}, country_code = ${address?.countryCode ?? null},
          auth_info = coalesce(${authInfo}, contacts.auth_info), statuses = ${json(after.statuses)}, updated_at = ${context.now}
        from stored where contacts.id = ${before.id} and contacts.version = ${before.version}
        returning contacts.id, contacts.code as name`,
    );
    const shown = { before: shownInHistory(before), after: shownInHistory(after) };
    const statement = WithStatement.from(storeAnswer(answer, context))
      .and(changed)
      .and(storeLegalDocuments('contact', [authorOf(context)]))
      .and(recordHistory({ objectKind: 'contact', operation: 'update', ...shown }, context));
    await db.run(statement.end(['recorded'], requireRows('recorded')));
  },
};

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
      ? onlyRemoves && removeStatuses.some((removed) => removed.status === status)
      : clientStatuses.some((known) => known === status);
  return PROHIBITING.filter((status) => !isLifted(status));
}

/** A failure of the name is reported once the identification is right. */
function checkFields(
  { identPart, ident, name }: ContactChanges,
  stored: StoredContact,
  policy: Policy,
): Refusal[] {
  const given = ident ?? identPart;
  if (given && differs(given, stored.ident))
    return [refusal('identUnchangeable', { field: 'contact.ident' })];
  const incomplete = identPart ? checkComplete(identPart) : [];
  return incomplete.length > 0 ? incomplete : checkSymbolsInPersonName(name, stored.ident, policy);
}

const differs = (given: IdentPart, stored: Ident): boolean =>
  Object.entries(given).some(([member, value]) => stored[member as keyof Ident] !== value);

const MEMBERS = { ident: 'ident', type: 'ident_type', countryCode: 'ident_country_code' } as const;

const checkComplete = (given: IdentPart): Refusal[] =>
  Object.entries(MEMBERS).flatMap(([member, name]) =>
    member in given ? [] : [refusal('fieldMissing', { field: `contact.ident.${name}` })],
  );
