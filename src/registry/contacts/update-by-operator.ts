import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { sendMessages } from '../poll/messages.ts';
import { message } from '../poll/texts.ts';
import type { Change } from '../registrars/operator.ts';
import { type ContactFields, searchKey } from './fields.ts';
import { shownInHistory } from './history.ts';
import type { StoredContact } from './load.ts';

type Changes = Pick<ContactFields, 'name' | 'email' | 'phone'>;
type Row = Pick<StoredContact, 'id' | 'code' | 'name' | 'email' | 'phone' | 'ident'> & {
  readonly registrarId: number;
};

/** What a registrant told the registry himself; his registrar is told. The code, or undefined when there is no such contact. */
export function updateByOperator(
  pool: Pool,
  code: string,
  changes: Changes,
  { actor, at, reason, byRegistrant }: Change & { readonly byRegistrant: boolean },
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
