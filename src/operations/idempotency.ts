import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { type Part, part, parts, WithStatement } from '../platform/sql/with.ts';
import { refuse } from './refusals.ts';

/** A client's key for one request, and what that request was. */
export type RequestKey = { readonly scope: string; readonly key: string; readonly fingerprint: Buffer };
export type KeptAnswer = object;
export type Keyed = {
  readonly requestKey?: RequestKey | undefined;
  readonly dryRun: boolean;
  readonly now: Date;
};

/** How every client names its key. */
export const KEY_HEADER = 'Idempotency-Key';

/** The answer kept for this request's key. */
export async function findKept(db: Sql, { requestKey, dryRun }: Keyed): Promise<KeptAnswer | undefined> {
  if (!requestKey || dryRun) return undefined;
  const row = await db.maybe(sql<{ fingerprint: Buffer; answer: KeptAnswer }>`
    select fingerprint, answer from idempotency_keys where scope = ${requestKey.scope} and key = ${requestKey.key}`);
  if (!row) return undefined;
  if (!row.fingerprint.equals(requestKey.fingerprint)) refuse('keyReused', { field: KEY_HEADER });
  return row.answer;
}

export type Kept = Part<'stored' | 'kept', never>;

/**
 * The head of every persisting statement: `kept` has one row. Where requests have a key their answers are stored
 * first; a twin in flight waits there, and its statement fails as a whole once the first has committed.
 */
export function keepAnswers(answered: readonly (Keyed & { readonly answer: object })[]): Kept {
  const rows = answered.flatMap(({ requestKey, answer, now }) =>
    requestKey ? [{ ...requestKey, answer, now }] : [],
  );
  if (rows.length === 0) return NOTHING_KEPT;
  return parts(
    part(
      'stored',
      [],
      sql`
      insert into idempotency_keys (scope, key, fingerprint, answer, created_at)
      select k.scope, k.key, decode(k.fingerprint, 'hex'), k.answer::json, k.created_at from unnest(${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ key }) => key)}::text[],
        ${rows.map(({ fingerprint }) => fingerprint.toString('hex'))}::text[], ${rows.map(({ answer }) => JSON.stringify(answer))}::text[],
        ${rows.map(({ now }) => now.toISOString())}::timestamptz[]) as k(scope, key, fingerprint, answer, created_at)
      order by k.scope, k.key returning 1`,
    ),
    part('kept', ['stored'], sql`select count(*) from stored`),
  );
}

/** The head of a statement that answers nobody. */
export const NOTHING_KEPT = part('kept', [], sql`select 1`);

export const keepAnswer = (answer: object, keyed: Keyed): Kept => keepAnswers([{ ...keyed, answer }]);

/** The same at the end of a transaction; a twin that was quicker makes all of it fail. */
export async function keepAnswerNow(db: Sql, answer: object, keyed: Keyed): Promise<void> {
  if (!keyed.requestKey) return;
  await db.run(WithStatement.from(keepAnswer(answer, keyed)).end(['kept'], sql`select from kept`));
}

const KEPT_FOR_HOURS = 48;

/** Keys older than two days are forgotten, a batch at a time; the promise is one day. */
export async function forgetOldKeys(db: Sql, now: Date): Promise<number> {
  return db.run(sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < ${now}::timestamptz - make_interval(hours => ${KEPT_FOR_HOURS}) limit 10000))`);
}
