import { runTransaction } from '../../operations/in-transaction.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { Refused } from '../../operations/refusal.ts';
import { refusal as commonRefusal } from '../../operations/common-refusals.ts';
import { classifyDatabaseError, isNotInSchema } from '../../platform/database/database-errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DueTime } from '../../platform/jobs/repair-due-times.ts';
import type { Logger } from '../../platform/logging.ts';
import { type Backoff, backoffMs, maxBackoffMs } from '../../platform/outbox/backoff.ts';
import { dueRows, hasDue, nextDue, type Queue } from '../../platform/outbox/queue.ts';
import { PLANNED_ONCE, type Pool, type Sql } from '../../platform/sql/executor.ts';
import { type Fragment, json, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import type { RowResult } from '../domains/bulk/row-results.ts';
import { authorOf } from '../history/read-history.ts';
import type { Context } from '../operation.ts';
import { hasPersonRight, type PersonRole } from '../people/person.ts';
import { refusal } from '../domains/rules/domain-refusals.ts';
import { type BulkChange, type BulkRow, changeRows } from './bulk-job.ts';
import { type BatchOutcome, type BulkJobMetrics, countBatch } from './count-outcomes.ts';
import { storedRefusal } from './stored-refusal.ts';

type Dependencies = {
  readonly database: Pick<Database, 'writes'>;
  readonly policy: Policy;
  readonly log: Pick<Logger, 'error'>;
  readonly metrics?: BulkJobMetrics | undefined;
};

const queue: Queue = {
  table: 'bulk_jobs',
  key: sql`id`,
  waits: sql`next_attempt_at is not null`,
  order: sql`next_attempt_at, id`,
};

/** Longer than a batch takes: a process that holds a job for longer counts as dead. */
const LEASE_MS = 60_000;
/** Changed in one transaction, in which the domains are locked. */
const BATCH = 100;
const BACKOFF: Backoff = { firstMs: 1_000, maxMs: 300_000 };
/** From so many failures on rows are tried one by one, so that one of them does not stop the others. */
const FAILURES_OF_BATCHES = 3;
/** A row that fails alone for so long is given up. */
const MAX_FAILURES = 6;
/** Its time would become stale; the next run follows at once. */
const MAX_RUN_MS = 10_000;

export const bulkJobDueTime: DueTime = {
  what: 'bulk jobs',
  table: 'bulk_jobs',
  column: 'next_attempt_at',
  maxAheadMs: Math.max(LEASE_MS, maxBackoffMs(BACKOFF)),
  where: queue.waits,
};

type Claimed = { readonly id: number; readonly claims: number; readonly failures: number };

/** Carries out what is due, a batch of each job in turn; safe in any number of processes. */
export async function runBulkJobs(parts: Dependencies, now: Date): Promise<void> {
  await runUntil(parts, now, { maxMs: MAX_RUN_MS });
}

/** One job at once, as far as it gets in this time; the rest is left to whoever runs due jobs. */
export async function runBulkJobNow(
  parts: Dependencies,
  publicId: string,
  now: Date,
  maxMs: number,
): Promise<void> {
  await runUntil(parts, now, { maxMs, only: sql`public_id = ${publicId}::uuid` });
}

type Limits = { readonly maxMs: number; readonly only?: Fragment };

async function runUntil(parts: Dependencies, now: Date, { maxMs, only }: Limits): Promise<void> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const time = () => new Date(now.getTime() + Math.round(elapsed()));
  do {
    const job = await claim(parts.database.writes, time(), only);
    if (!job) return;
    await runBatch(parts, job, time());
  } while (elapsed() < maxMs);
}

/** A condition for the statement that asks for work of all jobs. */
export const hasBulkJobs =
  (db: Sql) =>
  async (now: Date): Promise<Fragment> =>
    (await hasTable(db)) ? hasDue(queue, now) : sql`false`;

/** When the next job is due; undefined if there is none. */
export const nextBulkJob = async (db: Sql): Promise<Date | undefined> =>
  (await hasTable(db)) ? nextDue(db, queue) : undefined;

/** The databases that are known to have the table. */
const withTable = new WeakSet<Sql>();

/** The schema of 0.5.0 has no such table. */
async function hasTable(db: Sql): Promise<boolean> {
  if (withTable.has(db)) return true;
  const { found } = await db.one(sql<{ found: boolean }>`
    select to_regclass('bulk_jobs') is not null as found`);
  if (found) withTable.add(db);
  return found;
}

async function claim(db: Sql, now: Date, only: Fragment = sql`true`): Promise<Claimed | undefined> {
  const due = { ...queue, isNext: only };
  try {
    return await db.maybe(sql<Claimed>`
      update bulk_jobs set claims = claims + 1, next_attempt_at = ${new Date(now.getTime() + LEASE_MS)},
        started_at = coalesce(started_at, ${now})
      where id = any(array(${dueRows(due, now, 1)})) returning id, claims, failures`);
  } catch (error) {
    if (isNotInSchema(error)) return undefined;
    throw error;
  }
}

async function runBatch(
  { database, policy, log, metrics }: Dependencies,
  job: Claimed,
  now: Date,
): Promise<void> {
  const size = job.failures < FAILURES_OF_BATCHES ? BATCH : 1;
  try {
    const outcome = await runTransaction(
      database.writes,
      now,
      (db) => changeSome(db, job, { size, isLastTry: job.failures >= MAX_FAILURES, now, policy }),
      PLANNED_ONCE,
    );
    if (metrics && outcome) countBatch(metrics, outcome);
  } catch (error) {
    log.error({ err: error, job: job.id }, 'a batch of a bulk job failed');
    // Only what the rows themselves may have caused is counted: an outage must not give them up.
    const isOurs = classifyDatabaseError(error) === undefined;
    await postpone(database.writes, job, { error, isOurs }, now);
  }
}

/** A process that was taken for dead leaves the job to the one that has claimed it since. */
async function postpone(
  db: Sql,
  { id, claims, failures }: Claimed,
  { error, isOurs }: { readonly error: unknown; readonly isOurs: boolean },
  now: Date,
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  const at = new Date(now.getTime() + backoffMs(BACKOFF, failures + 1));
  await db.run(sql`
    update bulk_jobs set failures = failures + ${isOurs ? 1 : 0}, last_error = ${message.slice(0, 500)}, next_attempt_at = ${at}
    where id = ${id} and claims = ${claims} and next_attempt_at is not null`);
}

type Batch = {
  readonly size: number;
  readonly isLastTry: boolean;
  readonly now: Date;
  readonly policy: Policy;
};

/** What the rows change, and what became of them, are one transaction: each is carried out exactly once. */
async function changeSome(
  db: Pool,
  job: Claimed,
  { size, isLastTry, now, policy }: Batch,
): Promise<BatchOutcome | undefined> {
  const found = await db.maybe(sql<JobRow>`${JOB} where j.id = ${job.id} and j.claims = ${job.claims}
    and j.next_attempt_at is not null for update of j`);
  if (!found) return undefined;
  const rows = await db.rows(sql<RowOfJob>`
    select position, name, code, price::text as price, months from bulk_job_rows
    where job_id = ${job.id} and outcome is null order by position limit ${size}`);
  const listed = rows.map(({ price, ...row }) => ({ ...row, price: price === null ? null : BigInt(price) }));
  const context: Context = {
    principal: principalOf(found),
    now,
    requestId: found.requestId,
    dryRun: false,
    policy,
    publicUrl: found.publicUrl,
  };
  const isAllowed = found.isActive && hasPersonRight(found.roles ?? [], 'objects');
  const results = isLastTry
    ? refuseAll(listed, commonRefusal('fault', { requestId: found.requestId }))
    : isAllowed
      ? await changeOrRefuse(db, found, listed, context)
      : refuseAll(listed, refusal('notAllowed'));
  const isLast = rows.length === found.open;
  await record(db, job, { rows, results, isLast }, context);
  return { kind: found.kind, results, isLast };
}

/** What no domain can get refuses all rows, such as a contact that was deleted meanwhile. */
async function changeOrRefuse(
  db: Pool,
  change: BulkChange,
  rows: readonly BulkRow[],
  context: Context,
): Promise<RowResult[]> {
  try {
    return await changeRows(db, change, rows, context);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refuseAll(rows, error.refusals[0]);
  }
}

const refuseAll = (rows: readonly BulkRow[], reason: Refused['refusals'][0]): RowResult[] =>
  rows.map(({ name }) => ({ name, outcome: 'refused', refusal: reason }));

type RowOfJob = Pick<BulkRow, 'name' | 'code' | 'months'> & {
  readonly position: number;
  readonly price: string | null;
};

type Recorded = {
  readonly rows: readonly RowOfJob[];
  readonly results: readonly RowResult[];
  readonly isLast: boolean;
};

async function record(
  db: Sql,
  { id }: Claimed,
  { rows, results, isLast }: Recorded,
  context: Context,
): Promise<void> {
  const { now } = context;
  const outcomes = new Map(results.map((result) => [result.name, result]));
  const written = rows.map(({ position, name }) => {
    const result = outcomes.get(name);
    if (!result) throw new Error(`nothing became of ${name}`);
    const { outcome } = result;
    return { position, outcome, refusal: outcome === 'refused' ? storedRefusal(result.refusal) : null };
  });
  const counted = (outcome: RowResult['outcome']) =>
    sql`(select count(*) from written where outcome = ${outcome}::text)`;
  await db.run(sql`
    with written as (
      update bulk_job_rows r set outcome = w.outcome, refusal = w.refusal, finished_at = ${now},
        code = case when w.outcome = 'refused' then r.code end
      from jsonb_to_recordset(${json(written)}) as w(position int, outcome text, refusal jsonb)
      where r.job_id = ${id} and r.position = w.position and r.outcome is null
      returning r.outcome, r.price),
    counted as (
      update bulk_jobs set changed = changed + ${counted('changed')}, unchanged = unchanged + ${counted('unchanged')},
      refused = refused + ${counted('refused')}, failures = 0, last_error = null,
      charged = charged + (select coalesce(sum(price), 0) from written where outcome = 'changed'),
      next_attempt_at = ${isLast ? null : now}::timestamptz, finished_at = ${isLast ? now : null}::timestamptz
      where id = ${id} returning *)
    ${insertHistory(FINISHED, authorOf(context), sql`from counted join registrars on registrars.id = counted.registrar_id where counted.finished_at is not null`)}`);
}

/** Events are made of it. */
const FINISHED = {
  objectKind: 'registrar',
  objectId: sql`registrars.id`,
  objectName: sql`registrars.code`,
  operation: 'finish bulk job',
  after: sql`jsonb_build_object('job', counted.public_id, 'kind', counted.kind, 'total', counted.total,
    'changed', counted.changed, 'unchanged', counted.unchanged, 'refused', counted.refused)`,
};

type JobRow = BulkChange & {
  readonly requestId: string;
  readonly publicUrl: string;
  /** Rows without an outcome. */
  readonly open: number;
  readonly email: string;
  readonly registrarId: number;
  readonly registrarCode: string;
  readonly registrarName: string;
  readonly isActive: boolean;
  /** Null where the person does not work for the registrar any more. */
  readonly roles: readonly PersonRole[] | null;
};
const JOB = sql<JobRow>`
  select j.kind, j.input, j.request_id as "requestId", j.public_url as "publicUrl", j.total - j.changed - j.unchanged - j.refused as open,
    p.email, r.id as "registrarId", r.code as "registrarCode", r.name as "registrarName", m.roles,
    p.disabled_at is null and m.disabled_at is null and r.suspended_at is null as "isActive"
  from bulk_jobs j join registrars r on r.id = j.registrar_id join people p on p.id = j.person_id
    left join memberships m on m.person_id = j.person_id and m.registrar_id = j.registrar_id`;

/** The person who began it: history names whom to ask. */
const principalOf = ({ email, registrarId, registrarCode, registrarName }: JobRow): Principal => ({
  username: email,
  registrarId,
  registrarCode,
  registrarName,
  roles: [],
  interface: 'console',
});
