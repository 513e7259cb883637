import { runTransaction } from '../../operations/in-transaction.ts';
import {
  checkLimit,
  type LimitedStep,
  recordStepCount,
  recordStops,
  type StepLoad,
} from '../../platform/jobs/job-limits.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { dayIn } from '../../platform/values/dates.ts';
import type { Policy } from '../../policy/policy.ts';
import { changeStatuses } from './change-statuses.ts';
import { canBecome, type Status } from './invoice.ts';
import { lockInvoices } from './invoice-store.ts';

const BATCH = 500;
const ACTOR = 'registry';

export const DUE_DATE_JOB = 'process due dates';
const CANCEL_STEP = { job: DUE_DATE_JOB, step: 'cancel top-ups' };

/**
 * Marks unpaid invoices overdue; a registrar's own top-up is cancelled some time later, also when its last attempt
 * failed. Returns the step if it newly exceeds its limit.
 */
export async function processDueDates(
  database: Database,
  policy: Policy,
  now: Date,
  isLimited: boolean,
): Promise<readonly StepLoad[]> {
  const today = dayIn(policy.timeZone, now);
  await inBatches(database, 'overdue', now, (after) =>
    database.lists.rows(sql<{ number: number }>`
    select number from invoices where status = 'unpaid' and due_date < ${today.toString()}::date and number > ${after}
      and not exists (select from payments p where p.invoice_number = invoices.number and p.open and p.state is distinct from 'failed')
    order by number limit ${BATCH}`),
  );
  const stops = isLimited ? await checkDueDateLimits(database.lists, policy, now) : [];
  const begun = isLimited ? await recordStops(database.writes, DUE_DATE_JOB, stops, now) : [];
  if (stops.length > 0) return begun;
  const record = isLimited
    ? (db: Sql, count: number) => recordStepCount(db, CANCEL_STEP, count, now)
    : undefined;
  await inBatches(
    database,
    'cancelled',
    now,
    (after) =>
      database.lists.rows(sql<{ number: number }>`
      ${longOverdue(policy, now)} and number > ${after} order by number limit ${BATCH}`),
    record,
  );
  return begun;
}

function longOverdue({ timeZone, billing }: Policy, now: Date): Fragment {
  const before = dayIn(timeZone, now).subtract({ days: billing.cancelOverdueAfterDays }).toString();
  return sql`
    select number from invoices where status in ('overdue', 'failed') and kind = 'top-up' and due_date < ${before}::date`;
}

/** The step's load, if it exceeds the daily limit. */
export async function checkDueDateLimits(db: Sql, policy: Policy, now: Date): Promise<StepLoad[]> {
  const step: LimitedStep = {
    ...CANCEL_STEP,
    table: sql`invoices where kind = 'top-up'`,
    due: [longOverdue(policy, now)],
  };
  const load = await checkLimit(db, step, policy.dailyLimit, now);
  return load ? [load] : [];
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
  record?: (db: Sql, count: number) => Promise<void>,
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
      await record?.(db, changes.length);
    });
  }
}
