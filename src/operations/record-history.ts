import type { Sql } from '../platform/sql/executor.ts';
import { type Fragment, identifier, json, Statement, sql } from '../platform/sql/statement.ts';
import { type Part, part, parts, WithStatement } from '../platform/sql/with.ts';
import { clientsKey, type Keyed, storeAnswers } from './stored-answers.ts';
import type { Reason } from './reason.ts';

/** What happened to an object. Fragments are read from `changed`, or from whatever else the rows come from. */
export type HistoryEntry = {
  readonly objectKind: string;
  /** `changed.id` unless given. */
  readonly objectId?: number | Fragment;
  /** `changed.name` unless given. */
  readonly objectName?: string | Fragment;
  readonly operation: string | Fragment;
  /** Whose object it is; the registrar that acts unless given. */
  readonly registrarId?: number | Fragment | null;
  readonly before?: object | Fragment | null;
  readonly after?: object | Fragment | null;
  /** Of an object that the registry changes: whose it is, where history is to tell it that. */
  readonly sponsorId?: Fragment;
};

/** Who makes a change, when and why; fragments where a statement records the changes of several. */
export type Recorder = {
  readonly actor: string | Fragment;
  readonly now: Date | Fragment;
  /** The registrar that acts; none if the registry or a registrant does. */
  readonly registrarId?: number | null | undefined;
  readonly requestId?: string | Fragment | null | undefined;
  readonly clientTransactionId?: string | Fragment | null | undefined;
  readonly requestKey?: Keyed['requestKey'];
  /** That of `requestKey` unless given. */
  readonly idempotencyKey?: string | Fragment | null | undefined;
  readonly reason?: Reason | undefined;
};

/** The one insert into history: a row for each of those that `from` names. */
export function insertHistory(entry: HistoryEntry, by: Recorder, from: Fragment): Statement {
  const { objectKind, objectId = CHANGED_ID, objectName = CHANGED_NAME, operation } = entry;
  const { registrarId = by.registrarId ?? null } = entry;
  const { actor, now, requestId = null, clientTransactionId = null, idempotencyKey = clientsKey(by) } = by;
  return sql`
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, client_transaction_id,
      reason, reason_code, reason_for_registrar, case_number, before, after, idempotency_key, sponsor_id)
    select ${now}, ${objectKind}, ${objectId}, ${objectName}, ${operation}, ${registrarId}, ${actor}, ${requestId}, ${clientTransactionId},
      ${reasonOf(by)}, ${snapshot(entry.before)}, ${snapshot(entry.after)}, ${idempotencyKey}, ${entry.sponsorId ?? NOTHING} ${from}`;
}

/** Part of a persisting statement: `recorded`, one history row for each row (id, name) of the part called `changed`. */
export const recordHistory = (entry: HistoryEntry, by: Recorder): Part<'recorded', 'changed'> =>
  part('recorded', ['changed'], sql`${insertHistory(entry, by, FROM_CHANGED)} returning id`);

/** Ends a persisting statement: if that part lacks a row, a concurrent change won, and the whole statement is rolled back. */
export const requireRows = (name: 'recorded' | 'charged', rows = 1): Statement =>
  sql`select require_unchanged(count(*) = ${rows}) from ${identifier(name)}`;

/** What one statement writes: `changed`, which returns `id` and `name`, and what else reads from it. */
export type Written = { readonly changed: Statement } & Readonly<Record<string, Statement>>;

/**
 * Persists a change, its history and the answer for the request's key: all of it, or nothing if the rows are not as they
 * were decided on.
 */
export async function persistRecorded(
  db: Sql,
  { changed, ...others }: Written,
  entry: HistoryEntry & { readonly rows?: number },
  { answer, context }: { readonly answer: unknown; readonly context: Recorder & Keyed },
): Promise<void> {
  const { rows = 1, ...recorded } = entry;
  // Their names are checked when the statement is built.
  const further: Part<'further', 'changed'> = parts(
    ...Object.entries(others).map(([name, body]) => part(name as 'further', ['changed'], body)),
  );
  await db.run(
    WithStatement.from(storeAnswers([{ ...context, answer }]))
      .and(part('changed', ['stored'], changed))
      .and(further)
      .and(recordHistory(recorded, context))
      .end(['recorded'], requireRows('recorded', rows)),
  );
}

const CHANGED_ID = sql`changed.id`;
const CHANGED_NAME = sql`changed.name`;
const FROM_CHANGED = sql`from changed`;

/** Most changes have none: those of registrars. */
const NO_REASON = sql`null, null, null, null`;

function reasonOf({ reason }: Recorder): Fragment {
  if (!reason) return NO_REASON;
  const { text = null, code = null, forRegistrar = null, caseNumber = null } = reason;
  return sql`${text}, ${code}, ${forRegistrar}, ${caseNumber}`;
}

const NOTHING = sql`null`;
const snapshot = (value: object | Fragment | null | undefined) =>
  value === null || value === undefined ? NOTHING : value instanceof Statement ? value : json(value);
