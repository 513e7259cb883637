import { runTransaction } from '../../operations/in-transaction.ts';
import type { Database } from '../../platform/sql/database.ts';
import { sql } from '../../platform/sql/statement.ts';
import { dayIn } from '../../platform/values/dates.ts';
import type { Policy } from '../../policy/policy.ts';
import { changeStatuses } from './change-statuses.ts';
import { canBecome, type Status } from './invoice.ts';
import { lockInvoices } from './invoice-store.ts';

const BATCH = 500;
const ACTOR = 'registry';

/**
 * Marks unpaid invoices overdue; a registrar's own top-up is cancelled some time later, also when its last attempt
 * failed.
 */
export async function processDueDates(database: Database, policy: Policy, now: Date): Promise<void> {
  const today = dayIn(policy.timeZone, now);
  const cancelBefore = today.subtract({ days: policy.billing.cancelOverdueAfterDays }).toString();
  await inBatches(database, 'overdue', now, (after) =>
    database.lists.rows(sql<{ number: number }>`
    select number from invoices where status = 'unpaid' and due_date < ${today.toString()}::date and number > ${after}
      and not exists (select from payments p where p.invoice_number = invoices.number and p.open and p.state is distinct from 'failed')
    order by number limit ${BATCH}`),
  );
  await inBatches(database, 'cancelled', now, (after) =>
    database.lists.rows(sql<{ number: number }>`
    select number from invoices where status in ('overdue', 'failed') and kind = 'top-up' and due_date < ${cancelBefore}::date and number > ${after}
    order by number limit ${BATCH}`),
  );
}

/** When the next invoice becomes overdue or is cancelled; undefined when there is none. */
export async function nextDueDate(
  { reads }: Database,
  { timeZone, billing }: Policy,
): Promise<Date | undefined> {
  const row = await reads.one(sql<{ at: Date | null }>`
    select least(
      (select min(due_date) from invoices where status = 'unpaid'
        and not exists (select from payments p where p.invoice_number = invoices.number and p.open and p.state is distinct from 'failed')),
      (select min(due_date) + ${billing.cancelOverdueAfterDays}::int from invoices where status in ('overdue', 'failed') and kind = 'top-up')
    )::timestamp at time zone ${timeZone} + interval '1 day' as at`);
  return row.at ?? undefined;
}

async function inBatches(
  { writes }: Database,
  to: Status,
  at: Date,
  find: (after: number) => Promise<readonly { readonly number: number }[]>,
): Promise<void> {
  for (let found = await find(0); found.length > 0; found = await find(found.at(-1)?.number ?? 0)) {
    await runTransaction(writes, at, async (db) => {
      const invoices = await lockInvoices(
        db,
        found.map(({ number }) => number),
      );
      const changes = invoices
        .filter(({ status }) => canBecome(status, to))
        .map((invoice) => ({ invoice, to }));
      await changeStatuses(db, changes, { actor: ACTOR, at });
    });
  }
}
