import type { StepLoad } from './job-limits.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';
import type { Pool, Sql } from './sql/executor.ts';
import { sql } from './sql/statement.ts';

export type JobStop = StepLoad & { readonly since: Date };

/** An approval that nobody has used by then was meant for something else. */
const APPROVAL_HOURS = 24;
const KEPT_DAYS = 7;

/** Writes down that the job waits for an operator, or that it does not. Answers the steps that did not wait before. */
export async function recordStops(
  db: Sql,
  job: string,
  stops: readonly StepLoad[],
  now: Date,
): Promise<readonly StepLoad[]> {
  await db.run(sql`
    delete from job_stops where job = ${job} and step <> all(${stops.map(({ step }) => step)}::text[])`);
  await db.run(sql`
    delete from limited_work where job = ${job} and hour < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`);
  if (stops.length === 0) return [];
  const written = await db.rows(sql<{ step: string; isNew: boolean }>`
    insert into job_stops (job, step, since, checked_at, due, taken, allowed, total)
    select ${job}, step, ${now}, ${now}, due, taken, allowed, total
    from unnest(${stops.map(({ step }) => step)}::text[], ${stops.map(({ due }) => due)}::bigint[], ${stops.map(({ taken }) => taken)}::bigint[],
      ${stops.map(({ allowed }) => allowed)}::bigint[], ${stops.map(({ total }) => total)}::bigint[]) as t(step, due, taken, allowed, total)
    on conflict (job, step) do update set checked_at = excluded.checked_at, due = excluded.due, taken = excluded.taken,
      allowed = excluded.allowed, total = excluded.total
    returning step, since = checked_at as "isNew"`);
  const begun = new Set(written.filter(({ isNew }) => isNew).map(({ step }) => step));
  return stops.filter(({ step }) => begun.has(step));
}

export function listStops(db: Sql, job?: string): Promise<JobStop[]> {
  return db.rows(sql<JobStop>`
    select job, step, since, due, taken, allowed, total from job_stops
    where ${job ?? null}::text is null or job = ${job ?? null} order by job, step`);
}

export const describeLoad = ({ step, due, taken, allowed, total }: StepLoad): string =>
  `${step}: ${due} are due and ${taken} were done in the last 24 hours; ${allowed} of ${total} are allowed`;

export type Approval = { readonly by: string; readonly at: Date; readonly reason?: string | undefined };

/** Lets the job do what is due; the next look runs it. An earlier approval of the same step ends. */
export async function approveSteps(db: Pool, loads: readonly StepLoad[], approval: Approval): Promise<void> {
  const { by, at, reason } = approval;
  await db.begin(async (transaction) => {
    for (const { job, step, due } of loads) {
      await transaction.run(sql`
        update job_approvals set expires_at = ${at} where job = ${job} and step = ${step} and expires_at > ${at}`);
      await transaction.run(sql`
        insert into job_approvals (job, step, count, approved_at, approved_by, reason, expires_at)
        values (${job}, ${step}, ${due}, ${at}, ${by}, ${reason ?? null}, ${at}::timestamptz + make_interval(hours => ${APPROVAL_HOURS}))`);
      await transaction.run(
        sql`update jobs set due_at = least(due_at, ${at}::timestamptz) where name = ${job}`,
      );
    }
  });
}

/** The alert. */
export function reportStops(log: Logger, stops: readonly StepLoad[]): void {
  for (const stop of stops)
    log.error(stop, `${stop.job} stopped and waits for approval: it would do more than policy allows`);
}

export function registerJobStopMetrics(metrics: Metrics, db: Sql): void {
  metrics.watch(
    'cadastre_job_stops_waiting',
    'Steps of jobs that would do more than policy allows and wait for approval',
    async () => (await listStops(db)).length,
  );
}
