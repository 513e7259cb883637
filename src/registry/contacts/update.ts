import { storeAnswer } from '../../operations/idempotency.ts';
import { runTransaction } from '../../operations/in-transaction.ts';
import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { authorOf, recordHistory, requireRows } from '../history/history.ts';
import { storeLegalDocuments } from '../legal-documents.ts';
import type { Operation, Plan } from '../operation.ts';
import { message, sendMessages } from '../poll/messages.ts';
import { refusal, refuse } from '../refusals.ts';
import type { OperatorChange } from '../registrars/registrars.ts';
import {
  type FoundContact,
  loadContact,
  requireNoStatusAmong,
  requireOwnContact,
  type StoredContact,
  shownInHistory,
} from './contact.ts';
import {
  type ContactChanges,
  type ContactFields,
  requireNoSymbolsInPersonName,
  searchKey,
} from './contact-fields.ts';
import type { Ident, IdentPart } from './ident.ts';

export type ContactChange = { readonly code: string; readonly fields: ContactChanges };
type UpdatePlan = Plan & { readonly before: StoredContact; readonly after: StoredContact };

const PROHIBITING = [
  ...['clientUpdateProhibited', 'serverUpdateProhibited', 'clientDeleteProhibited', 'serverDeleteProhibited'],
  ...['clientTransferProhibited', 'serverTransferProhibited'],
  ...['pendingCreate', 'pendingUpdate', 'pendingDelete', 'pendingTransfer'],
];

export const updateContact: Operation<ContactChange, FoundContact, UpdatePlan> = {
  load: (db, { code }, { principal }) => loadContact(db, code, principal),

  decide(found, { fields: { identPart, ...fields } }, { policy }) {
    const contact = requireOwnContact(found);
    requireNoStatusAmong(contact, PROHIBITING);
    const given = fields.ident ?? identPart;
    if (given && differs(given, contact.ident)) refuse('identUnchangeable', { field: 'contact.ident' });
    requireNone(identPart ? checkComplete(identPart) : []);
    requireNoSymbolsInPersonName(fields.name, contact.ident, policy);
    return { answer: { contact: { code: contact.code } }, before: contact, after: { ...contact, ...fields } };
  },

  async persist(db, { answer, before, after }, context) {
    const changed = part(
      'changed',
      ['stored'],
      sql`
        update contacts set name = ${after.name}, name_key = ${searchKey(after.name)}, email = ${after.email}, phone = ${after.phone},
          updated_at = ${context.now}
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

const differs = (given: IdentPart, stored: Ident): boolean =>
  Object.entries(given).some(([member, value]) => stored[member as keyof Ident] !== value);

const MEMBERS = { ident: 'ident', type: 'ident_type', countryCode: 'ident_country_code' } as const;

const checkComplete = (given: IdentPart): Refusal[] =>
  Object.entries(MEMBERS).flatMap(([member, name]) =>
    member in given ? [] : [refusal('fieldMissing', { field: `contact.ident.${name}` })],
  );

type Changes = Pick<ContactFields, 'name' | 'email' | 'phone'>;
type Row = Pick<StoredContact, 'id' | 'code' | 'name' | 'email' | 'phone' | 'ident'> & {
  readonly registrarId: number;
};

/** A change by an operator; if the registrant requested it, the registrar is notified. Returns the code, or undefined if there is no such contact. */
export function updateByOperator(
  pool: Pool,
  code: string,
  changes: Changes,
  { actor, at, reason, byRegistrant }: OperatorChange & { readonly byRegistrant: boolean },
): Promise<string | undefined> {
  return runTransaction(pool, at, async (db) => {
    const before = await db.maybe(sql<Row>`
      select id, code, name, email, phone, registrar_id as "registrarId",
        json_build_object('ident', ident, 'type', ident_type, 'countryCode', ident_country_code) as ident
      from contacts where code_key = ${searchKey(code)} for update`);
    if (!before) return undefined;
    const after = { ...before, ...changes };
    await db.run(sql`
      update contacts set name = ${after.name}, name_key = ${searchKey(after.name)}, email = ${after.email}, phone = ${after.phone}, updated_at = ${at}
      where id = ${before.id}`);
    await db.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, before, after)
      values (${at}, 'contact', ${before.id}, ${before.code}, ${byRegistrant ? 'update by registrant' : 'update'}, ${before.registrarId}, ${actor},
        ${reason ?? null}, ${json(shownInHistory(before))}, ${json(shownInHistory(after))})`);
    const changed =
      before.name !== after.name || before.email !== after.email || before.phone !== after.phone;
    if (byRegistrant && changed) await sendMessages(db, [message('contact_updated', before)], at);
    return before.code;
  });
}
