import { keepAnswer } from '../../platform/idempotency.ts';
import { mustHave, recordHistory } from '../history/record.ts';
import type { Operation, Plan } from '../operation.ts';
import { refuse } from '../refusals.ts';
import { searchKey } from './fields.ts';
import { shownInHistory } from './history.ts';
import {
  type FoundContact,
  loadContact,
  refuseIfStatusAmong,
  refuseUnlessOwn,
  type StoredContact,
} from './load.ts';

type DeletePlan = Plan & { readonly contact: StoredContact };

const PROHIBITING = [
  'clientDeleteProhibited',
  'serverDeleteProhibited',
  'pendingCreate',
  'pendingUpdate',
  'pendingDelete',
  'pendingTransfer',
];

export const deleteContact: Operation<{ readonly code: string }, FoundContact, DeletePlan> = {
  load: (sql, { code }, { principal }) => loadContact(sql, code, principal),

  decide(found) {
    const contact = refuseUnlessOwn(found);
    refuseIfStatusAmong(contact, PROHIBITING);
    if (contact.linked) refuse('contactLinked');
    return { answer: {}, contact };
  },

  // A domain that takes the contact meanwhile makes the foreign key fail, and the next decision refuses.
  async persist(sql, { answer, contact }, context) {
    const { principal, now } = context;
    await sql`
      with ${keepAnswer(sql, answer, context)},
      changed as (
        delete from contacts using kept where contacts.id = ${contact.id} and contacts.version = ${contact.version}
        returning contacts.id, contacts.code as name),
      remembered as (
        insert into removed_objects (object_kind, name_key, registrar_id, removed_at)
        select 'contact', ${searchKey(contact.code)}, ${principal.registrarId}, ${now} from changed
        on conflict (object_kind, name_key, registrar_id) do update set removed_at = excluded.removed_at),
      detached as (
        update poll_messages p set attached_obj_type = null, attached_obj_id = null
        from changed where p.attached_obj_type = 'Contact' and p.attached_obj_id = changed.id),
      ${recordHistory(sql, { objectKind: 'contact', operation: 'delete', before: shownInHistory(contact), after: null }, context)}
      ${mustHave(sql, 'recorded')}`;
  },
};
