import { storeAnswer } from '../../operations/stored-answers.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { authorOf } from '../history/read-history.ts';
import { storeLegalDocuments } from '../legal-documents.ts';
import type { Operation, Plan } from '../operation.ts';
import { detachMessages, rememberRemoved } from '../removed.ts';
import {
  type ContactResult,
  checkNoStatusAmong,
  type FoundContact,
  loadContact,
  requireOwnContact,
  type StoredContact,
  shownInHistory,
} from './contact.ts';
import { refusal } from './contact-refusals.ts';

/** The domains that use a contact, or are to have it as registrant: the first few, and how many there are. */
export type ContactUses = { readonly names: readonly string[]; readonly count: number };
type Loaded = FoundContact & { readonly uses?: ContactUses };
type DeletePlan = Plan<ContactResult> & { readonly contact: StoredContact };

const PROHIBITING = [
  'clientDeleteProhibited',
  'serverDeleteProhibited',
  'pendingCreate',
  'pendingUpdate',
  'pendingDelete',
  'pendingTransfer',
];

export const deleteContact: Operation<{ readonly code: string }, Loaded, DeletePlan> = {
  async load(db, { code }, { principal }) {
    const found = await loadContact(db, code, principal);
    return found.contact?.linked ? { ...found, uses: await usesOf(db, found.contact.id) } : found;
  },

  decide(found) {
    const contact = requireOwnContact(found);
    requireNone(checkContactDeletion({ ...contact, uses: found.uses }));
    return { answer: { code: contact.code }, contact };
  },

  // If a domain links the contact in between, the foreign key fails, and the next attempt refuses.
  async persist(db, { answer, contact }, context) {
    const changed = part(
      'changed',
      ['stored'],
      sql`
        delete from contacts using stored where contacts.id = ${contact.id} and contacts.version = ${contact.version}
        returning contacts.id, contacts.code as name, contacts.code_key as key, contacts.registrar_id`,
    );
    const statement = WithStatement.from(storeAnswer(answer, context))
      .and(changed)
      .and(rememberRemoved('contact', context.now))
      .and(detachMessages('contact'))
      .and(storeLegalDocuments('contact', [authorOf(context)]))
      .and(
        recordHistory(
          { objectKind: 'contact', operation: 'delete', before: shownInHistory(contact) },
          authorOf(context),
        ),
      );
    await db.run(statement.end(['recorded'], requireRows('recorded')));
  },
};

type Seen = Pick<StoredContact, 'statuses' | 'linked'> & { readonly uses?: ContactUses | undefined };

export function checkContactDeletion(contact: Seen): Refusal[] {
  const prohibited = checkNoStatusAmong(contact, PROHIBITING);
  if (prohibited.length > 0 || !contact.linked) return prohibited;
  return [refusal('contactLinked', { domains: shownUses(contact.uses) })];
}

const MAX_NAMED = 5;

const usesOf = (db: Sql, contactId: number): Promise<ContactUses> =>
  db.one(sql<ContactUses>`
    with used as (
      select id from domains where registrant_id = ${contactId}
      union select domain_id from domain_contacts where contact_id = ${contactId}
      union select domain_id from registrant_requests where new_registrant_id = ${contactId} and closed_at is null)
    select (select count(*) from used) as count,
      array(select d.name from (select id from used order by id limit ${MAX_NAMED}) as first join domains d on d.id = first.id order by d.name) as names`);

/** `a.ee, b.ee and 7 more domains` */
function shownUses({ names, count }: ContactUses = { names: [], count: 0 }): string {
  // The last use may have ended between the two statements.
  if (count === 0) return 'a domain';
  const rest = count - names.length;
  const more = rest === 1 ? 'one more domain' : `${rest} more domains`;
  return rest > 0 ? `${names.join(', ')} and ${more}` : names.join(', ');
}
