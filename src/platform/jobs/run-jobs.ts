import { MAX_CLOCK_DIFFERENCE_MS } from '../clock/clock.ts';
import { TimeLeapt } from '../clock/clock-readings.ts';
import type { Logger } from '../logging.ts';
import { RepeatedFailures } from '../repeated-failures.ts';
import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql } from '../sql/statement.ts';
import { continueTrace } from '../tracing/trace.ts';
import { withTrace } from '../work-scope.ts';
import { describeLoad, type StepLoad } from './job-limits.ts';

/** Recurring work. Each run is idempotent: a crash between claim and end costs one interval. */
export type Job = {
  readonly name: string;
  readonly intervalMs: number;
  /** An SQL condition, answered by an index. While it is false the job runs only every IDLE_INTERVAL_MS. */
  readonly hasWork?: HasWork;
  run(now: Date): Promise<void>;
};
export type HasWork = (now: Date) => Fragment | Promise<Fragment>;

/** How often an idle job runs all the same, so that its record shows that a worker serves it. */
const IDLE_INTERVAL_MS = 30_000;

/**
 * A condition on a row of jobs. A time beyond the next interval is due too: a clock that was ahead has left it, and
 * nothing would run until it comes.
 */
const isDue = (now: Date, intervalMs: Fragment): Fragment => sql`
  (due_at <= ${now} or due_at > ${now}::timestamptz + (${intervalMs} + ${MAX_CLOCK_DIFFERENCE_MS}) * interval '1 millisecond')`;

const isAhead = (time: Fragment, now: Date): Fragment =>
  sql`${time} > ${now}::timestamptz + ${MAX_CLOCK_DIFFERENCE_MS} * interval '1 millisecond'`;

/**
 * The names of the jobs that are due and, where that is known, have work: one statement for all jobs of a process, since
 * it is asked every second.
 */
export async function listDue(db: Sql, jobs: readonly Job[], now: Date): Promise<ReadonlySet<string>> {
  const unconditional = jobs.filter(({ hasWork }) => !hasWork).map(({ name }) => name);
  let conditions = sql`jobs.name = any(${unconditional}::text[])`;
  for (const { name, hasWork } of jobs)
    if (hasWork) conditions = sql`${conditions} or (jobs.name = ${name} and ${await hasWork(now)})`;
  const idleSince = new Date(now.getTime() - IDLE_INTERVAL_MS);
  const rows = await db.rows(sql<{ name: string }>`
    select jobs.name from jobs join ${knownJobs(jobs)} on known.name = jobs.name where ${isDue(now, sql`known.interval_ms`)}
      and (started_at is null or started_at <= ${idleSince} or ${isAhead(sql`started_at`, now)} or ${conditions})`);
  return new Set(rows.map(({ name }) => name));
}

/** A wrong clock's end of a run would otherwise stay the latest one. */
const correctEnd = (now: Date): Fragment => sql`
  finished_at = case when ${isAhead(sql`jobs.finished_at`, now)} then null else jobs.finished_at end`;

const knownJobs = (jobs: readonly Job[]): Fragment => sql`
  unnest(${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ intervalMs }) => intervalMs)}::float8[]) as known(name, interval_ms)`;

export type JobOutcome = {
  readonly name: string;
  /** The failure; null if it succeeded. */
  readonly failure: string | null;
  readonly seconds: number;
};

export class Jobs {
  readonly #sql: Sql;
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #log: Logger;
  readonly #finished: (outcome: JobOutcome) => void;
  readonly #isClockRight: () => Promise<boolean>;
  readonly #failures = new RepeatedFailures();

  constructor(
    db: Sql,
    jobs: readonly Job[],
    log: Logger,
    finished: (outcome: JobOutcome) => void,
    isClockRight = async () => true,
  ) {
    this.#sql = db;
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    this.#log = log;
    this.#finished = finished;
    this.#isClockRight = isClockRight;
  }

  get names(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  /** Inserts jobs that are new in this version, due at once, and updates the intervals of the others. */
  async schedule(now: Date): Promise<void> {
    await this.#sql.run(sql`
      insert into jobs (name, due_at, interval_ms) select name, ${now}, interval_ms from ${this.#known()}
      on conflict (name) do update set interval_ms = excluded.interval_ms where jobs.interval_ms is distinct from excluded.interval_ms`);
  }

  /**
   * Runs the due jobs, longest overdue first; safe on many nodes, each job on one of them. Stops if the clock becomes
   * wrong.
   */
  async runDue(now: Date): Promise<void> {
    // A job that was claimed is due later than now: there are no more claims than jobs.
    for (let claims = 0; claims < this.#jobs.size && (await this.#isClockRight()); claims++) {
      const [job] = await this.#claim(now, 1);
      if (!job) return;
      await this.#record(now, [await this.#run(job, now)]);
    }
  }

  /** As runDue, where no other node waits for work: the jobs are claimed together, and run in their order here. */
  async runDueTogether(now: Date): Promise<void> {
    const outcomes: JobOutcome[] = [];
    for (const job of await this.#claim(now, this.#jobs.size)) outcomes.push(await this.#run(job, now));
    if (outcomes.length > 0) await this.#record(now, outcomes);
  }

  /**
   * Runs one job, due or not, even if another process is running it: runs may overlap. Undefined if there is no such
   * job.
   */
  async runNow(name: string, now: Date): Promise<JobOutcome | undefined> {
    const job = this.#jobs.get(name);
    if (!job) return undefined;
    await this.#sql.run(sql`
      insert into jobs (name, due_at, started_at, interval_ms)
      values (${name}, ${now}::timestamptz + ${job.intervalMs} * interval '1 millisecond', ${now}, ${job.intervalMs})
      on conflict (name) do update set started_at = excluded.started_at, ${correctEnd(now)}, due_at = excluded.due_at`);
    const outcome = await this.#run(job, now);
    await this.#record(now, [outcome]);
    return outcome;
  }

  #known(): Fragment {
    return knownJobs([...this.#jobs.values()]);
  }

  async #claim(now: Date, most: number): Promise<Job[]> {
    const rows = await this.#sql.rows(sql<{ name: string }>`
      update jobs set started_at = ${now}, ${correctEnd(now)}, due_at = ${now}::timestamptz + known.interval_ms * interval '1 millisecond'
      from ${this.#known()}
      where jobs.name = known.name and jobs.name = any(array(
        select jobs.name from jobs join ${this.#known()} on known.name = jobs.name where ${isDue(now, sql`known.interval_ms`)}
        order by due_at, jobs.name limit ${most} for update of jobs skip locked))
      returning jobs.name`);
    const claimed = new Set(rows.map(({ name }) => name));
    return Array.from(this.#jobs.values()).filter(({ name }) => claimed.has(name));
  }

  /** The failure; null if it succeeded. */
  async #attempt(job: Job, now: Date): Promise<string | null> {
    try {
      await job.run(now);
      this.#failures.end(job.name);
      return null;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof TimeLeapt) this.#reportLeap(message);
      else this.#reportFailure(job, error, message);
      return message;
    }
  }

  #reportFailure({ name }: Job, error: unknown, message: string): void {
    const repeated = this.#failures.add(name, message);
    if (repeated !== undefined)
      this.#log.error({ err: error, job: name, repeated: repeated || undefined }, 'job failed');
  }

  /** One cause of many jobs: it is logged once for all of them. */
  #reportLeap(message: string): void {
    const repeated = this.#failures.add(TimeLeapt.name, message);
    if (repeated !== undefined)
      this.#log.error(
        { clock: message, repeated: repeated || undefined },
        'the time has leapt: jobs that end something wait',
      );
  }

  async #run(job: Job, now: Date): Promise<JobOutcome> {
    const started = performance.now();
    const failure = await withTrace(continueTrace(undefined), () => this.#attempt(job, now));
    const outcome = { name: job.name, failure, seconds: (performance.now() - started) / 1000 };
    this.#finished(outcome);
    return outcome;
  }

  async #record(now: Date, outcomes: readonly JobOutcome[]): Promise<void> {
    const names = outcomes.map(({ name }) => name);
    const durations = outcomes.map(({ seconds }) => Math.round(seconds * 1000));
    const failures = outcomes.map(({ failure }) => failure);
    await this.#sql.run(sql`
      update jobs set finished_at = greatest(finished_at, ${now}), duration_ms = run.duration_ms, failure = run.failure,
        failures = case when run.failure is null then 0 else failures + 1 end,
        failed_at = case when run.failure is null then failed_at else ${now} end,
        last_failure = coalesce(run.failure, last_failure)
      from unnest(${names}::text[], ${durations}::int[], ${failures}::text[]) as run(name, duration_ms, failure)
      where jobs.name = run.name`);
  }
}

export type JobRecord = {
  readonly name: string;
  /** Null for a job that no worker of this version has inserted yet. */
  readonly everyMs: number | null;
  readonly lastRun: Date | null;
  readonly durationMs: number | null;
  /** Stopped: it would exceed its limit, and waits for approval. */
  readonly outcome: 'done' | 'failed' | 'running' | 'never ran' | 'stopped';
  /** Consecutive failures up to now. */
  readonly failures: number;
  readonly next: Date;
  readonly failedAt: Date | null;
  readonly lastFailure: string | null;
  /** The steps that wait for approval. */
  readonly stops: readonly string[];
  readonly lastApproval: string | null;
};

type Row = Omit<JobRecord, 'stops'> & { readonly stops: readonly StepLoad[] };

/** The records of every job, or of one. */
export async function listJobs(db: Sql, name?: string): Promise<JobRecord[]> {
  const rows = await db.rows(sql<Row>`
    select name, interval_ms as "everyMs", started_at as "lastRun", duration_ms as "durationMs",
      case when started_at is null then 'never ran' when finished_at is null or finished_at < started_at then 'running'
        when failures > 0 then 'failed' when stops is not null then 'stopped' else 'done' end as outcome,
      failures, due_at as next, failed_at as "failedAt", last_failure as "lastFailure", coalesce(stops, '[]') as stops,
      (select a.approved_by || ' at ' || to_char(a.approved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' (' || a.step || ': ' || a.count || coalesce('; ' || a.reason, '') || ')'
        from job_approvals a where a.job = jobs.name order by a.id desc limit 1) as "lastApproval"
    from jobs
      left join lateral (select json_agg(s order by s.step) as stops from job_stops s where s.job = jobs.name) as stopped on true
    where ${name ?? null}::text is null or name = ${name ?? null} order by name`);
  return rows.map((row) => ({ ...row, stops: row.stops.map(describeLoad) }));
}

/** The names of the jobs whose due times a wrong clock has left. */
export async function listAheadJobs(db: Sql, now: Date): Promise<string[]> {
  const rows = await db.rows(sql<{ name: string }>`
    select name from jobs where due_at > ${now} and ${isDue(now, sql`interval_ms`)} order by name`);
  return rows.map(({ name }) => name);
}
