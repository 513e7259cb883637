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

const MAX_DETAIL_LENGTH = 1_000;

/**
 * Keeps how a check ended, and when one last succeeded. A success that lies ahead was recorded by a wrong clock, and is
 * replaced.
 */
export async function recordCheck(db: Sql, result: CheckResult): Promise<void> {
  const { kind, at, succeeded, goodFor = at } = result;
  await db.run(sql`
    insert into operator_checks as known (kind, at, succeeded, succeeded_at, detail)
    values (${kind}, ${at}, ${succeeded}, ${succeeded ? goodFor : null}, ${result.detail.slice(0, MAX_DETAIL_LENGTH)})
    on conflict (kind) do update set at = excluded.at, succeeded = excluded.succeeded, detail = excluded.detail,
      succeeded_at = greatest(${unlessAhead(sql`known.succeeded_at`, sql`excluded.at`)}, excluded.succeeded_at)`);
}

/** A check that may run for long and leave nothing behind when it dies: of these the beginning is recorded as well. */
export type LongCheckKind = Exclude<CheckKind, 'doctor'>;
/** A check that has not ended by then has died, or needs somebody to look; the alert waits as long. */
export const MAX_CHECK_MS = 2 * 3_600_000;

/** A beginning is a row of its own: a column would be missing on the schema of the release before. */
const BEGUN = ' begun';

export async function recordBeginning(db: Sql, kind: LongCheckKind, at: Date): Promise<void> {
  await db.run(sql`
    insert into operator_checks (kind, at, succeeded, succeeded_at, detail) values (${kind + BEGUN}, ${at}, true, ${at}, 'has begun')
    on conflict (kind) do update set at = excluded.at, succeeded_at = excluded.succeeded_at`);
}

/** For one that had nothing to do: it is as if it had not begun. */
export async function withdrawBeginning(db: Sql, kind: LongCheckKind): Promise<void> {
  await db.run(sql`update operator_checks set at = '-infinity' where kind = ${kind + BEGUN}`);
}

/** The first migration that can store any of this. */
export const CHECKS_MIGRATION = 59;

/** In a restored database: the backup in it was under way when its rows were read, and ended elsewhere. */
export async function forgetBeginnings(db: Sql): Promise<void> {
  const kinds = CHECK_KINDS.map((kind) => kind + BEGUN);
  await db.run(sql`delete from operator_checks where kind = any(${kinds}::text[])`);
}

/** Begun later than the last one ended. */
const unfinished = sql`
  select kinds.kind, begun.at as "begunAt", begun.at > coalesce(ended.at, '-infinity') as "isUnfinished"
  from unnest(${[...CHECK_KINDS]}::text[]) as kinds(kind) join operator_checks begun on begun.kind = kinds.kind || ${BEGUN}
    left join operator_checks ended on ended.kind = kinds.kind`;

/** Checks that began, and of which no end is known: they run, or they died. */
export const listUnfinished = (db: Sql): Promise<{ kind: CheckKind; begunAt: Date }[]> =>
  db.rows(sql<{ kind: CheckKind; begunAt: Date }>`
    select kind, "begunAt" from (${unfinished}) as checks where "isUnfinished" order by kind`);

/** Null where a time lies further ahead than clocks differ. */
const unlessAhead = (time: Fragment, now: Fragment): Fragment =>
  sql`case when ${time} <= ${now} + ${MAX_CLOCK_DIFFERENCE_MS} * interval '1 millisecond' then ${time} end`;

export const listChecks = (db: Sql): Promise<RecordedCheck[]> =>
  db.rows(sql<RecordedCheck>`
    select kind, at, succeeded, succeeded_at as "succeededAt", detail from operator_checks
    where kind = any(${[...CHECK_KINDS]}::text[]) order by kind`);

const labelNames = ['kind'];

export const operatorCheckMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_check_last_success_timestamp_seconds',
    help: 'When a check of the operators last succeeded, of a backup the time of its data; 0 if never, or at a time that is still to come',
    labelNames,
    query: sql`
      select kind, coalesce(extract(epoch from ${unlessAhead(sql`succeeded_at`, sql`clock_timestamp()`)}), 0) as value
      from unnest(${[...CHECK_KINDS]}::text[]) as kinds(kind) left join operator_checks using (kind)`,
  },
  {
    name: 'cadastre_check_failed',
    help: 'Whether a check of the operators failed when it was last run',
    labelNames,
    query: sql`
      select kind, (not succeeded)::int as value from operator_checks where kind = any(${[...CHECK_KINDS]}::text[])`,
  },
  {
    name: 'cadastre_check_unfinished',
    help: 'Whether a check of the operators has begun and not ended: it runs, or it died',
    labelNames,
    query: sql`select kind, "isUnfinished"::int as value from (${unfinished}) as checks`,
  },
];
