import { isDeepStrictEqual } from 'node:util';
import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';
import { message, sendMessages } from '../poll/messages.ts';
import { type StoredContact, shownInHistory } from './contact.ts';
import { type ContactFields, searchKey } from './contact-fields.ts';
import { POSTAL_ADDRESS } from './postal-address.ts';

type Changes = Pick<ContactFields, 'name' | 'email' | 'phone' | 'disclosedAttributes'>;
type Row = Omit<StoredContact, 'version' | 'linked'> & { readonly registrarId: number };

/** A change by an operator; if the registrant requested it, the registrar is notified. Returns the code, or undefined if there is no such contact. */
export function updateByOperator(
  pool: Pool,
  code: string,
  changes: Changes,
  { actor, at, reason, byRegistrant }: OperatorChange & { readonly byRegistrant: boolean },
): Promise<string | undefined> {
  return runTransaction(pool, at, async (db) => {
    const before = await db.maybe(sql<Row>`
      select c.id, c.code, c.name, c.email, c.phone, c.registrar_id as "registrarId", ${POSTAL_ADDRESS} as address, c.statuses,
        c.disclosed_attributes as "disclosedAttributes",
        json_build_object('ident', c.ident, 'type', c.ident_type, 'countryCode', c.ident_country_code) as ident
      from contacts c where c.code_key = ${searchKey(code)} for update`);
    if (!before) return undefined;
    const after = { ...before, ...changes };
    await db.run(sql`
      update contacts set name = ${after.name}, name_key = ${searchKey(after.name)}, email = ${after.email}, phone = ${after.phone},
        disclosed_attributes = ${after.disclosedAttributes}::text[], updated_at = ${at}
      where id = ${before.id}`);
    await db.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, before, after)
      values (${at}, 'contact', ${before.id}, ${before.code}, ${byRegistrant ? 'update by registrant' : 'update'}, ${before.registrarId}, ${actor},
        ${reason ?? null}, ${json(shownInHistory(before))}, ${json(shownInHistory(after))})`);
    const changed = !isDeepStrictEqual(before, after);
    if (byRegistrant && changed)
      await sendMessages(db, [message('contact_updated', before)], {
        actor,
        reason: { text: reason },
        now: at,
      });
    return before.code;
  });
}
