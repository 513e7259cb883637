import type { Pool } from '../../../../src/platform/sql/executor.ts';
import { sql } from '../../../support/sql.ts';

/** The stored effects of a scenario, without ids and times, and with users instead of the interfaces that they used. */
export async function evidenceOf(db: Pool, after: { readonly history: number; readonly entries: number }) {
  const rows = {
    history: await db.rows(sql`
      select object_kind, object_name, operation, (select code from registrars r where r.id = registrar_id) as registrar,
        actor, reason, before, after
      from history where id > ${after.history} order by id`),
    ledger: await db.rows(sql`
      select d.kind as debit, c.kind as credit, e.amount, e.operation, e.description, e.balance_after, e.actor, e.reason,
        (select object_name || ' ' || operation from history h where h.id = e.history_id) as change
      from ledger_entries e join ledger_accounts d on d.id = e.debit_account join ledger_accounts c on c.id = e.credit_account
      where e.id > ${after.entries} order by e.id`),
    balances: await db.rows(sql`
      select kind, registrar_id, balance from ledger_accounts order by kind, registrar_id`),
    messages: await db.rows(sql`
      select (select code from registrars r where r.id = registrar_id) as registrar, type, text, attached_obj_type, read_at is not null as read,
        details - 'requestId' - 'clientTransactionId' - 'at' as details
      from poll_messages order by id`),
    mails: await db.rows(sql`select recipient, subject, text, html from mails order by id`),
    transfers: await db.rows(sql`
      select losing_registrar_id, gaining_registrar_id, expire_time from transfers order by id`),
  };
  return JSON.parse(withoutAccidents(JSON.stringify(rows))) as typeof rows;
}

function withoutAccidents(text: string): string {
  const copies = new Map<string, string>();
  return (
    text
      .replace(/"(epp|user):(\w+)"/g, '"$2"')
      .replace(/\/confirm\/[\w-]{20,}/g, '/confirm/TOKEN')
      // Until when a question can be answered is shown to the minute.
      .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?= \()/g, 'TIME')
      .replace(/(\d{4}-\d\d)-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '$1')
      .replace(/BETA:[0-9a-f]{8}/g, (code) => {
        copies.set(code, copies.get(code) ?? `BETA:${copies.size + 1}`);
        return copies.get(code) ?? '';
      })
  );
}

/** The initial state of a scenario. */
export const placeIn = (db: Pool) =>
  db.one(sql<{ history: number; entries: number }>`
    select (select coalesce(max(id), 0) from history) as history, (select coalesce(max(id), 0) from ledger_entries) as entries`);
