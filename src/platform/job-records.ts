import type { Sql } from './sql/executor.ts';
import { sql } from './sql/statement.ts';

export type JobRecord = {
  readonly name: string;
  /** Unknown of a job that no worker of this version has entered yet. */
  readonly everyMs: number | null;
  readonly lastRun: Date | null;
  readonly tookMs: number | null;
  readonly outcome: 'done' | 'failed' | 'running' | 'never ran';
  /** In a row, up to now. */
  readonly failures: number;
  readonly next: Date;
  readonly failedAt: Date | null;
  readonly lastFailure: string | null;
};

/** What is known of every job, or of one. */
export function listJobs(db: Sql, name?: string): Promise<JobRecord[]> {
  return db.rows(sql<JobRecord>`
    select name, every_ms as "everyMs", started_at as "lastRun", took_ms as "tookMs",
      case when started_at is null then 'never ran' when finished_at is null or finished_at < started_at then 'running'
        when failures > 0 then 'failed' else 'done' end as outcome,
      failures, due_at as next, failed_at as "failedAt", last_failure as "lastFailure"
    from jobs where ${name ?? null}::text is null or name = ${name ?? null} order by name`);
}
