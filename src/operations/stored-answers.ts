import type { Purge } from '../platform/jobs/run-purge.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';
import { type Part, part, parts, WithStatement } from '../platform/sql/with.ts';
import { refuse } from './common-refusals.ts';

/** A client's key for one request, and the fingerprint of that request. */
export type RequestKey = {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: Buffer;
  /** Chosen by the client, who finds it in what the request caused. */
  readonly isClients?: boolean;
  /** What is stored as the answer of the interface; without it, the result of the operation is. */
  readonly toStored?: (result: unknown) => object;
};
export type StoredAnswer = object;
/** The key of a request whose operation has such a result. */
export const storingAs = <Result>(key: RequestKey, toStored: (result: Result) => object): RequestKey => ({
  ...key,
  toStored: toStored as (result: unknown) => object,
});
export type Keyed = {
  readonly requestKey?: RequestKey | undefined;
  readonly dryRun: boolean;
  readonly now: Date;
};

/** The key that history and messages tell. */
export const clientsKey = ({ requestKey }: Pick<Keyed, 'requestKey'>): string | null =>
  requestKey?.isClients ? requestKey.key : null;

/** The answer stored for this request's key; refuses a key that was used for another request. */
export async function findStoredAnswer(
  db: Sql,
  { requestKey, dryRun }: Keyed,
): Promise<StoredAnswer | undefined> {
  if (!requestKey || dryRun) return undefined;
  const row = await db.maybe(sql<{ fingerprint: Buffer; answer: StoredAnswer }>`
    select fingerprint, answer from idempotency_keys where scope = ${requestKey.scope} and key = ${requestKey.key}`);
  if (!row) return undefined;
  if (!row.fingerprint.equals(requestKey.fingerprint)) refuse('keyReused', { at: ['requestKey'] });
  return row.answer;
}

export type StoredPart = Part<'key_rows' | 'stored', never>;

/**
 * The first part of every persisting statement: `stored` has one row. If requests have keys, their answers are inserted
 * first; a concurrent duplicate waits there, and its statement fails as a whole once the first has committed.
 */
export function storeAnswers(answered: readonly (Keyed & { readonly answer: unknown })[]): StoredPart {
  const rows = answered.flatMap(({ requestKey, answer, now }) =>
    requestKey ? [{ ...requestKey, answer: requestKey.toStored?.(answer) ?? answer, now }] : [],
  );
  if (rows.length === 0) return NOTHING_STORED;
  return parts(
    part(
      'key_rows',
      [],
      sql`
      insert into idempotency_keys (scope, key, fingerprint, answer, created_at)
      select k.scope, k.key, decode(k.fingerprint, 'hex'), k.answer::json, k.created_at from unnest(${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ key }) => key)}::text[],
        ${rows.map(({ fingerprint }) => fingerprint.toString('hex'))}::text[], ${rows.map(({ answer }) => JSON.stringify(answer))}::text[],
        ${rows.map(({ now }) => now.toISOString())}::timestamptz[]) as k(scope, key, fingerprint, answer, created_at)
      order by k.scope, k.key returning 1`,
    ),
    part('stored', ['key_rows'], sql`select count(*) from key_rows`),
  );
}

/** The first part of a statement that answers no request. */
export const NOTHING_STORED = part('stored', [], sql`select 1`);

export const storeAnswer = (answer: unknown, keyed: Keyed): StoredPart =>
  storeAnswers([{ ...keyed, answer }]);

/** The same at the end of a transaction, which fails as a whole where a duplicate has committed first. */
export async function storeAnswerNow(db: Sql, answer: unknown, keyed: Keyed): Promise<void> {
  if (!keyed.requestKey) return;
  const head = storeAnswers([{ ...keyed, answer }]);
  await db.run(WithStatement.from(head).end(['stored'], sql`select from stored`));
}

const STORED_FOR_HOURS = 48;

const oldKeys = (now: Date): Fragment => sql`
  select ctid from idempotency_keys where created_at < ${now}::timestamptz - make_interval(hours => ${STORED_FOR_HOURS})`;

/** Keys older than two days; the documented lifetime is one day. */
export const keyPurge: Purge = {
  step: 'delete idempotency keys',
  table: sql`idempotency_keys`,
  due: oldKeys,
  removeSome: (db, time) =>
    db.run(sql`delete from idempotency_keys where ctid = any(array(${oldKeys(time)} limit 10000))`),
};
