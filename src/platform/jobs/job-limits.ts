import type { Logger } from '../logging.ts';
import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql } from '../sql/statement.ts';

/** The maximum work of a job within 24 hours; above it the job stops until an operator approves. */
export type DailyLimit = {
  /** As a share of all objects of the kind. */
  readonly maxShare: number;
  /** Always allowed, however small the registry is. */
  readonly minCount: number;
};

/** A limited step of a job. */
export type LimitedStep = {
  readonly job: string;
  /** The step in words, such as "expire domains". */
  readonly step: string;
  /** Queries of the due objects, one row each, by an index. */
  readonly due: readonly Fragment[];
  /** The table that the share refers to. */
  readonly table: Fragment;
  /** The preceding step: as many objects as it has processed are allowed for this one. */
  readonly follows?: string;
  /** Whether the step removes the objects: the share is then one of those that there were a day ago. */
  readonly isRemoval?: boolean;
};

/** The due, processed and allowed work of a step. */
export type StepLoad = {
  readonly job: string;
  readonly step: string;
  readonly due: number;
  /** Within the last 24 hours, without approved work. */
  readonly taken: number;
  readonly allowed: number;
  readonly total: number;
};

/** Work is counted per hour, and the oldest hour of the window counts fully. */
const WINDOW_HOURS = 25;
/** An approval that is unused by then was meant for other work. */
const APPROVAL_HOURS = 24;
/** The work of the preceding step can be followed up within two days. */
const FOLLOW_HOURS = 49;

/**
 * Undefined if the step may process all that is due, else its load. Due and processed work are read in one statement: a
 * concurrent run moves objects from one to the other, which leaves the sum unchanged. Counts no more than the decision
 * needs.
 */
export async function checkLimit(
  db: Sql,
  step: LimitedStep,
  limit: DailyLimit,
  now: Date,
): Promise<StepLoad | undefined> {
  const few = await countLoad(db, step, now, limit.minCount);
  if (few.due === 0 || few.due + few.taken <= limit.minCount) return undefined;
  const { left } = await db.one(sql<{ left: number }>`select count(*) as left from ${step.table}`);
  const total = step.isRemoval ? left + few.taken : left;
  const share = Math.max(limit.minCount, Math.floor(limit.maxShare * total));
  const many = await countLoad(db, step, now, share + few.approved + few.followed);
  // The bound of the count came from the first reading, so no more than that reading knew may be allowed.
  const approvedBefore = Math.min(few.approved, many.approved);
  const allowed = Math.max(share, Math.min(few.followed, many.followed));
  if (many.due + many.taken <= allowed + approvedBefore) return undefined;
  const { due, taken, approved } = await countLoad(db, step, now);
  if (due + taken <= allowed + approved) return undefined;
  return { job: step.job, step: step.step, due, taken, allowed, total };
}

type Load = {
  readonly due: number;
  readonly taken: number;
  readonly approved: number;
  readonly followed: number;
};

/** Counts due objects up to `most` + 1. */
async function countLoad(db: Sql, step: LimitedStep, now: Date, most?: number): Promise<Load> {
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const bound = most === undefined ? sql`` : sql`limit ${most + 1}`;
  const due = step.due.map((query) => sql`(select count(*) from (${query} ${bound}) as due)`);
  return db.one(sql<Load>`
    select ${due.reduce((all, one) => sql`${all} + ${one}`)} as due,
      (select coalesce(sum(count - approved), 0)::bigint from job_step_counts
        where job = ${step.job} and step = ${step.step} and hour > ${before(WINDOW_HOURS)} and hour <= ${before(-1)}) as taken,
      (select coalesce(sum(count - used), 0)::bigint from job_approvals
        where job = ${step.job} and step = ${step.step} and ${isApproval(now)}) as approved,
      (select coalesce(sum(count), 0)::bigint from job_step_counts
        where job = ${step.job} and step = ${step.follows ?? null} and hour > ${before(FOLLOW_HOURS)} and hour <= ${before(-1)}) as followed`);
}

/** One that was given by a clock that was ahead is not in force: it would last for as long as the clock was ahead. */
const isApproval = (now: Date): Fragment => sql`
  expires_at > ${now} and expires_at <= ${now}::timestamptz + make_interval(hours => ${APPROVAL_HOURS + 1})`;

/** Called in the transaction of the step, as its last statements. An approval is consumed first. */
export async function recordStepCount(
  db: Sql,
  { job, step }: Pick<LimitedStep, 'job' | 'step'>,
  count: number,
  now: Date,
): Promise<void> {
  if (count === 0) return;
  const approval = await db.maybe(sql<{ id: number; unused: number }>`
    select id, count - used as unused from job_approvals
    where job = ${job} and step = ${step} and ${isApproval(now)} and used < count order by id limit 1 for update`);
  const approved = Math.min(approval?.unused ?? 0, count);
  if (approval)
    await db.run(sql`update job_approvals set used = used + ${approved} where id = ${approval.id}`);
  await db.run(sql`
    insert into job_step_counts (job, step, hour, count, approved)
    values (${job}, ${step}, date_trunc('hour', ${now}::timestamptz), ${count}, ${approved})
    on conflict (job, step, hour) do update
      set count = job_step_counts.count + excluded.count, approved = job_step_counts.approved + excluded.approved`);
}

export type JobStop = StepLoad & { readonly since: Date };

const RETENTION_DAYS = 7;

/** Records which steps wait for an operator. Returns those that did not wait before. */
export async function recordStops(
  db: Sql,
  job: string,
  stops: readonly StepLoad[],
  now: Date,
): Promise<readonly StepLoad[]> {
  await db.run(sql`
    delete from job_stops where job = ${job} and step <> all(${stops.map(({ step }) => step)}::text[])`);
  await db.run(sql`
    delete from job_step_counts where job = ${job} 
      and (hour < ${now}::timestamptz - make_interval(days => ${RETENTION_DAYS}) or hour > ${now}::timestamptz + interval '1 hour')`);
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

/** Approves what is due for the next run of the job, inside a transaction. Replaces an earlier approval of the same step. */
export async function approveSteps(db: Sql, loads: readonly StepLoad[], approval: Approval): Promise<void> {
  const { by, at, reason } = approval;
  for (const { job, step, due } of loads) {
    await db.run(sql`
      update job_approvals set expires_at = ${at} where job = ${job} and step = ${step} and expires_at > ${at}`);
    await db.run(sql`
      insert into job_approvals (job, step, count, approved_at, approved_by, reason, expires_at)
      values (${job}, ${step}, ${due}, ${at}, ${by}, ${reason ?? null}, ${at}::timestamptz + make_interval(hours => ${APPROVAL_HOURS}))`);
    await db.run(sql`update jobs set due_at = least(due_at, ${at}::timestamptz) where name = ${job}`);
  }
}

export function reportStops(log: Logger, stops: readonly StepLoad[]): void {
  for (const stop of stops)
    log.error(stop, `${stop.job} stopped and waits for approval: it would do more than policy allows`);
}
