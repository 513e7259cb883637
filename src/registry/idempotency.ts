import type { Fragment, Sql } from '../platform/database/database.ts';
import { refuse } from './refusals.ts';

/** A client's key for one request, and what that request was. */
export type RequestKey = { readonly scope: string; readonly key: string; readonly fingerprint: Buffer };
export type KeptAnswer = object;
type Keyed = { readonly requestKey?: RequestKey | undefined; readonly dryRun: boolean; readonly now: Date };

/** The answer kept for this request's key; refuses a key that stands for another request. */
export async function findKept(sql: Sql, { requestKey, dryRun }: Keyed): Promise<KeptAnswer | undefined> {
  if (!requestKey || dryRun) return undefined;
  const [row] = await sql<{ fingerprint: Buffer; answer: KeptAnswer }[]>`
    select fingerprint, answer from idempotency_keys where scope = ${requestKey.scope} and key = ${requestKey.key}`;
  if (!row) return undefined;
  if (!row.fingerprint.equals(requestKey.fingerprint)) refuse('keyReused', { field: 'Idempotency-Key' });
  return row.answer;
}

/**
 * The head of every persisting statement: `kept` has one row. Where the request has a key its answer is stored
 * first; a twin in flight waits there, and its statement fails as a whole once the first has committed.
 */
export function keepAnswer(sql: Sql, answer: object, { requestKey, now }: Keyed): Fragment {
  if (!requestKey) return sql`kept as (select 1)`;
  return sql`kept as (
    insert into idempotency_keys (scope, key, fingerprint, answer, created_at)
    values (${requestKey.scope}, ${requestKey.key}, ${requestKey.fingerprint}, ${sql.json(answer as never)}, ${now})
    returning 1)`;
}

const KEPT_FOR_HOURS = 48;

/** Keys older than two days are forgotten, a batch at a time; the promise is one day. */
export async function forgetOldKeys(sql: Sql, now: Date): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < ${now}::timestamptz - make_interval(hours => ${KEPT_FOR_HOURS}) limit 10000))`;
  return result.count;
}
