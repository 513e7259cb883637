import { storeAnswer } from '../../operations/idempotency.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { mustHave, recordHistory } from '../history/record.ts';
import type { Operation, Plan } from '../operation.ts';
import { refuse } from '../refusals.ts';
import { type ContactFields, refuseSymbolsInPersonName, searchKey } from './fields.ts';
import { shownInHistory } from './history.ts';
import type { Ident } from './ident.ts';
import {
  type FoundContact,
  loadContact,
  refuseIfStatusAmong,
  refuseUnlessOwn,
  type StoredContact,
} from './load.ts';

export type ContactChange = { readonly code: string; readonly fields: Omit<ContactFields, 'id'> };
type UpdatePlan = Plan & { readonly before: StoredContact; readonly after: StoredContact };

const PROHIBITING = [
  ...['clientUpdateProhibited', 'serverUpdateProhibited', 'clientDeleteProhibited', 'serverDeleteProhibited'],
  ...['clientTransferProhibited', 'serverTransferProhibited'],
  ...['pendingCreate', 'pendingUpdate', 'pendingDelete', 'pendingTransfer'],
];

export const updateContact: Operation<ContactChange, FoundContact, UpdatePlan> = {
  load: (db, { code }, { principal }) => loadContact(db, code, principal),

  decide(found, { fields }, { policy }) {
    const contact = refuseUnlessOwn(found);
    refuseIfStatusAmong(contact, PROHIBITING);
    if (fields.ident && !sameIdent(fields.ident, contact.ident))
      refuse('identUnchangeable', { field: 'contact.ident' });
    refuseSymbolsInPersonName(fields.name, contact.ident, policy);
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
      .and(recordHistory({ objectKind: 'contact', operation: 'update', ...shown }, context));
    await db.run(statement.end(['recorded'], mustHave('recorded')));
  },
};

function sameIdent(one: Ident, other: Ident): boolean {
  return one.ident === other.ident && one.type === other.type && one.countryCode === other.countryCode;
}
