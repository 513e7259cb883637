import type { Sql } from './database/database.ts';
import type { Logger } from './logging.ts';

/** Work that falls due again and again. Each run is idempotent: a crash between claim and end costs one interval. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  run(now: Date): Promise<void>;
};

export type JobOutcome = { readonly name: string; readonly failed: boolean; readonly seconds: number };

export class Jobs {
  readonly #sql: Sql;
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #log: Logger;
  readonly #finished: (outcome: JobOutcome) => void;

  constructor(sql: Sql, jobs: readonly Job[], log: Logger, finished: (outcome: JobOutcome) => void) {
    this.#sql = sql;
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    this.#log = log;
    this.#finished = finished;
  }

  /** Enters jobs that are new in this version; they are due at once. */
  async schedule(now: Date): Promise<void> {
    await this.#sql`
      insert into jobs (name, due_at) select name, ${now} from unnest(${[...this.#jobs.keys()]}::text[]) as t(name)
      on conflict (name) do nothing`;
  }

  /** Runs whatever is due at `now`, the longest due first; safe on many nodes, each job on one of them. */
  async runDue(now: Date): Promise<void> {
    for (let job = await this.#claim(now); job; job = await this.#claim(now)) await this.#run(job, now);
  }

  async #claim(now: Date): Promise<Job | undefined> {
    const everyMs = Array.from(this.#jobs.values(), (job) => job.everyMs);
    const [row] = await this.#sql<{ name: string }[]>`
      update jobs set started_at = ${now}, due_at = ${now}::timestamptz + known.every_ms * interval '1 millisecond'
      from unnest(${[...this.#jobs.keys()]}::text[], ${everyMs}::float8[]) as known(name, every_ms)
      where jobs.name = known.name and jobs.name = (
        select name from jobs where due_at <= ${now} and name = any(${[...this.#jobs.keys()]}::text[])
        order by due_at, name limit 1 for update skip locked)
      returning jobs.name`;
    return row && this.#jobs.get(row.name);
  }

  async #run(job: Job, now: Date): Promise<void> {
    const started = performance.now();
    const failure = await job.run(now).then(
      () => null,
      (error: unknown) => {
        this.#log.error({ err: error, job: job.name }, 'job failed');
        return error instanceof Error ? error.message : String(error);
      },
    );
    await this.#sql`update jobs set finished_at = ${now}, failure = ${failure},
      failures = case when ${failure}::text is null then 0 else failures + 1 end where name = ${job.name}`;
    this.#finished({
      name: job.name,
      failed: failure !== null,
      seconds: (performance.now() - started) / 1000,
    });
  }
}
