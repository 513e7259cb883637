import { MAX_CLOCK_DIFFERENCE_MS } from './clock/clock.ts';
import type { DatabaseMetric } from './database-metrics.ts';
import type { Sql } from './sql/executor.ts';
import { type Fragment, sql } from './sql/statement.ts';

/** What operators, or their timers, run regularly. */
export const CHECK_KINDS = ['backup', 'restore', 'doctor', 'ledger'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export type CheckResult = {
  readonly kind: CheckKind;
  readonly at: Date;
  readonly succeeded: boolean;
  /** The time that a success is good for, where it is not that of the run: of a backup that of its data. */
  readonly goodFor?: Date | undefined;
  /** One sentence. */
  readonly detail: string;
};
export type RecordedCheck = Omit<CheckResult, 'goodFor'> & { readonly succeededAt: Date | null };

const TABLE = 'operator_checks';
const MAX_DETAIL_LENGTH = 1_000;

/**
 * Keeps how a check ended, and when one last succeeded; nothing on the schema of the release before. A success that lies
 * ahead was recorded by a wrong clock, and is replaced.
 */
export async function recordCheck(db: Sql, result: CheckResult): Promise<void> {
  if (!(await hasTable(db))) return;
  const { kind, at, succeeded, goodFor = at } = result;
  await db.run(sql`
    insert into operator_checks as known (kind, at, succeeded, succeeded_at, detail)
    values (${kind}, ${at}, ${succeeded}, ${succeeded ? goodFor : null}, ${result.detail.slice(0, MAX_DETAIL_LENGTH)})
    on conflict (kind) do update set at = excluded.at, succeeded = excluded.succeeded, detail = excluded.detail,
      succeeded_at = greatest(${unlessAhead(sql`known.succeeded_at`, sql`excluded.at`)}, excluded.succeeded_at)`);
}

/** Null where a time lies further ahead than clocks differ. */
const unlessAhead = (time: Fragment, now: Fragment): Fragment =>
  sql`case when ${time} <= ${now} + ${MAX_CLOCK_DIFFERENCE_MS} * interval '1 millisecond' then ${time} end`;

/** Undefined on the schema of the release before. */
export async function listChecks(db: Sql): Promise<RecordedCheck[] | undefined> {
  if (!(await hasTable(db))) return undefined;
  return db.rows(sql<RecordedCheck>`
    select kind, at, succeeded, succeeded_at as "succeededAt", detail from operator_checks order by kind`);
}

const hasTable = async (db: Sql): Promise<boolean> =>
  (await db.one(sql<{ found: boolean }>`select to_regclass(${TABLE}) is not null as found`)).found;

const labelNames = ['kind'];

export const operatorCheckMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_check_last_success_timestamp_seconds',
    help: 'When a check of the operators last succeeded, of a backup the time of its data; 0 if never, or at a time that is still to come',
    labelNames,
    query: sql`
      select kind, coalesce(extract(epoch from ${unlessAhead(sql`succeeded_at`, sql`clock_timestamp()`)}), 0) as value
      from unnest(${[...CHECK_KINDS]}::text[]) as kinds(kind) left join operator_checks using (kind)`,
    requires: TABLE,
  },
  {
    name: 'cadastre_check_failed',
    help: 'Whether a check of the operators failed when it was last run',
    labelNames,
    query: sql`select kind, (not succeeded)::int as value from operator_checks`,
    requires: TABLE,
  },
];
