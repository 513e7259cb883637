import type { StepLoad } from './job-limits.ts';
import { describeLoad } from './job-stops.ts';
import type { Sql } from './sql/executor.ts';
import { sql } from './sql/statement.ts';

export type JobRecord = {
  readonly name: string;
  /** Unknown of a job that no worker of this version has entered yet. */
  readonly everyMs: number | null;
  readonly lastRun: Date | null;
  readonly tookMs: number | null;
  /** Stopped: it would do more than policy allows, and waits for approval. */
  readonly outcome: 'done' | 'failed' | 'running' | 'never ran' | 'stopped';
  /** In a row, up to now. */
  readonly failures: number;
  readonly next: Date;
  readonly failedAt: Date | null;
  readonly lastFailure: string | null;
  /** What it waits for approval of. */
  readonly stops: readonly string[];
  readonly lastApproval: string | null;
};

type Row = Omit<JobRecord, 'stops'> & { readonly stops: readonly StepLoad[] };

/** What is known of every job, or of one. */
export async function listJobs(db: Sql, name?: string): Promise<JobRecord[]> {
  const rows = await db.rows(sql<Row>`
    select name, every_ms as "everyMs", started_at as "lastRun", took_ms as "tookMs",
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
