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
/** What a request has made: with its key it is kept for longer than an answer is stored. */
export type MadeObject = { readonly kind: string; readonly name: string };
/** In place of the answer to a request whose object is all that is known of it. */
export class KeptObject implements MadeObject {
  readonly kind: string;
  readonly name: string;
  constructor({ kind, name }: MadeObject) {
    this.kind = kind;
    this.name = name;
  }
}
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
  const { scope, key } = requestKey;
  const row = await db.maybe(sql<KeyRow>`
    select fingerprint, answer, null::text as kind, null::text as name from idempotency_keys where scope = ${scope} and key = ${key}
    union all
    select fingerprint, null, object_kind, object_name from kept_keys where scope = ${scope} and key = ${key}
    limit 1`);
  if (!row) return undefined;
  const { fingerprint, answer, kind, name } = row;
  if (!fingerprint.equals(requestKey.fingerprint)) refuse('keyReused', { at: ['requestKey'] });
  return answer ?? new KeptObject({ kind: kind ?? '', name: name ?? '' });
}

type KeyRow = {
  readonly fingerprint: Buffer;
  readonly answer: StoredAnswer | null;
  readonly kind: string | null;
  readonly name: string | null;
};

/** A key that no client has chosen is never sent again. */
const keptWith = ({ isClients }: RequestKey, made: MadeObject | undefined) => (isClients ? made : undefined);

export type StoredPart = Part<'key_rows' | 'stored', never>;

/**
 * The first part of every persisting statement: `stored` has one row. If requests have keys, their answers are inserted
 * first; a concurrent duplicate waits there, and its statement fails as a whole once the first has committed.
 */
export function storeAnswers(
  answered: readonly (Keyed & { readonly answer: unknown; readonly made?: MadeObject | undefined })[],
): StoredPart {
  const rows = answered.flatMap(({ requestKey, answer, now, made }) =>
    requestKey
      ? [
          {
            ...requestKey,
            answer: requestKey.toStored?.(answer) ?? answer,
            now,
            made: keptWith(requestKey, made),
          },
        ]
      : [],
  );
  if (rows.length === 0) return NOTHING_STORED;
  return parts(
    part(
      'key_rows',
      [],
      sql`
      insert into idempotency_keys (scope, key, fingerprint, answer, created_at, object_kind, object_name)
      select k.scope, k.key, decode(k.fingerprint, 'hex'), k.answer::json, k.created_at, k.object_kind, k.object_name from unnest(${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ key }) => key)}::text[],
        ${rows.map(({ fingerprint }) => fingerprint.toString('hex'))}::text[], ${rows.map(({ answer }) => JSON.stringify(answer))}::text[],
        ${rows.map(({ now }) => now.toISOString())}::timestamptz[], ${rows.map(({ made }) => made?.kind ?? null)}::text[],
        ${rows.map(({ made }) => made?.name ?? null)}::text[]) as k(scope, key, fingerprint, answer, created_at, object_kind, object_name)
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
