import { storeAnswer } from '../../operations/idempotency.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { recordHistory, requireRows } from '../history/history.ts';
import type { Operation, Plan } from '../operation.ts';
import { refuse } from '../refusals.ts';
import {
  type FoundContact,
  loadContact,
  requireNoStatusAmong,
  requireOwnContact,
  type StoredContact,
  shownInHistory,
} from './contact.ts';
import { searchKey } from './contact-fields.ts';

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
  load: (db, { code }, { principal }) => loadContact(db, code, principal),

  decide(found) {
    const contact = requireOwnContact(found);
    requireNoStatusAmong(contact, PROHIBITING);
    if (contact.linked) refuse('contactLinked');
    return { answer: {}, contact };
  },

  // If a domain links the contact in between, the foreign key fails, and the next attempt refuses.
  async persist(db, { answer, contact }, context) {
    const { principal, now } = context;
    const changed = part(
      'changed',
      ['stored'],
      sql`
        delete from contacts using stored where contacts.id = ${contact.id} and contacts.version = ${contact.version}
        returning contacts.id, contacts.code as name`,
    );
    const remembered = part(
      'remembered',
      ['changed'],
      sql`
        insert into removed_objects (object_kind, name_key, registrar_id, removed_at)
        select 'contact', ${searchKey(contact.code)}, ${principal.registrarId}, ${now} from changed
        on conflict (object_kind, name_key, registrar_id) do update set removed_at = excluded.removed_at`,
    );
    const detached = part(
      'detached',
      ['changed'],
      sql`
        update poll_messages p set attached_obj_type = null, attached_obj_id = null
        from changed where p.attached_obj_type = 'Contact' and p.attached_obj_id = changed.id`,
    );
    const shown = { before: shownInHistory(contact), after: null };
    const statement = WithStatement.from(storeAnswer(answer, context))
      .and(changed)
      .and(remembered)
      .and(detached)
      .and(recordHistory({ objectKind: 'contact', operation: 'delete', ...shown }, context));
    await db.run(statement.end(['recorded'], requireRows('recorded')));
  },
};
