import { isLeapFailureOf } from '../clock/clock-readings.ts';
import type { DatabaseMetric } from '../database-metrics.ts';
import { sql } from '../sql/statement.ts';

/** Labelled `name`: Prometheus has a label `job` of its own. */
const labelNames = ['name'];

export const jobMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_job_due_timestamp_seconds',
    help: 'When a job is due next; in the past if it is late',
    labelNames,
    query: sql`select name, extract(epoch from due_at) as value from jobs`,
  },
  {
    name: 'cadastre_job_interval_seconds',
    help: 'How often a job is due',
    labelNames,
    query: sql`select name, interval_ms / 1000.0 as value from jobs`,
  },
  {
    name: 'cadastre_job_last_success_timestamp_seconds',
    help: 'When a job last succeeded; none for one that failed already when the process started',
    labelNames,
    query: sql`select name, extract(epoch from finished_at) as value from jobs where failures = 0`,
    // The row of a failing job has the time of its last run only.
    isKept: true,
  },
  {
    name: 'cadastre_job_failures',
    help: 'Failures of a job since it last succeeded',
    labelNames,
    query: sql`select name, failures as value from jobs`,
  },
  {
    name: 'cadastre_job_held_by_leap',
    help: 'Whether a job last failed because the time has leapt',
    labelNames,
    query: sql`select name, (failures > 0 and ${isLeapFailureOf(sql`last_failure`)})::int as value from jobs`,
  },
  {
    name: 'cadastre_job_stops_waiting',
    help: 'Steps of jobs that would do more than policy allows and wait for approval',
    query: sql`select count(*) as value from job_stops`,
  },
];
