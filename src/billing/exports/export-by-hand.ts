import { inTransaction } from '../../operations/in-transaction.ts';
import { answerOf, runOperation, storeOn } from '../../operations/run-operation.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { refuse } from '../billing-refusals.ts';
import { lockInvoices } from '../invoices/invoice-store.ts';
import { packForAccounting } from './accounting/export-to-accounting.ts';
import { packAsEInvoices } from './einvoice/export-as-e-invoice.ts';
import type { ExportTarget } from './export-outcome.ts';
import { type Details, prepareExports, requestExports } from './request-exports.ts';

type Order = { readonly target: ExportTarget; readonly actor: string; readonly now: Date };

/**
 * An operator re-sends invoices of any service with the details last requested. Those pending or delivered are skipped.
 * Returns the ones enqueued.
 */
export async function exportByHand(
  pool: Pool,
  policy: Policy,
  numbers: readonly number[],
  order: Order,
): Promise<readonly number[]> {
  const previous = await pool.rows(sql<{ number: number; details: Details }>`
    select distinct on (invoice_number) invoice_number as number, details from invoice_exports
    where invoice_number = any(${[...numbers]}::bigint[]) and target = ${order.target} order by invoice_number, id desc`);
  const items = numbers.map((number) => ({
    number,
    details: previous.find((one) => one.number === number)?.details ?? {},
  }));
  const request = { ...order, items, initiator: undefined, at: ['invoices'] as const };
  const pack = order.target === 'accounting' ? packForAccounting(policy) : packAsEInvoices(policy, order.now);
  const exporting = inTransaction({
    prepare: () => prepareExports(pool, policy, request, pack),
    transact: (db, prepared) => requestExports(db, policy, request, prepared),
  });
  return answerOf(await runOperation(storeOn(pool), exporting, { now: order.now, dryRun: false }));
}

/** An operator records that a service has an invoice, whatever it answered. False when that is recorded already. */
export async function confirmByHand(
  db: Sql,
  number: number,
  { target, actor, now, reason }: Order & { readonly reason: string },
): Promise<boolean> {
  const invoices = await lockInvoices(db, [number]);
  if (invoices.length === 0) refuse('invoiceMissing', { number });
  const rows = await db.rows(sql`
    with confirmed as (
      update invoice_exports set state = 'accepted', answered_at = ${now}, reason = ${reason}, actor = ${actor}
      where invoice_number = ${number} and target = ${target} and state = 'waiting' returning 1),
    entered as (
      insert into invoice_exports (invoice_number, target, state, details, requested_at, actor, answered_at, reason)
      select ${number}, ${target}, 'accepted', '{}', ${now}, ${actor}, ${now}, ${reason}
      where not exists (select from invoice_exports where invoice_number = ${number} and target = ${target} and state <> 'rejected')
      returning 1)
    select from confirmed union all select from entered`);
  return rows.length > 0;
}
