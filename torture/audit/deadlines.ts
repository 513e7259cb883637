import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';
import type { Attempt, Journal } from '../journal.ts';

/** How long after it was sent a request may have an effect, by what its client wanted. */
export type DeadlineOf = (what: string) => number;
type Effect = { readonly requestId: string; readonly what: string; readonly committedAt: number };

/**
 * What was answered 503 or not at all, and cannot be settled by a key, has no effect later than its deadline, counted
 * from when it was sent. The server must keep the times of commits (track_commit_timestamp).
 */
export async function auditDeadlines(
  db: Sql,
  { intents }: Journal,
  deadlineOf: DeadlineOf,
): Promise<Finding[]> {
  const effects = Map.groupBy(await effectsOfRequests(db), ({ requestId }) => requestId);
  return intents
    .filter(({ key }) => key === undefined)
    .flatMap(({ what, who, attempts }) =>
      attempts
        .filter(({ outcome }) => outcome === 'unknown')
        .flatMap((attempt) =>
          (effects.get(attempt.requestId) ?? [])
            .filter(({ committedAt }) => committedAt - attempt.sentAt > deadlineOf(what))
            .map((effect) => ({
              finding: 'an effect came after the deadline of its request',
              subject: `${what} of ${who}, ${attempt.requestId}: ${effect.what}`,
              expected: `within ${deadlineOf(what)} ms, or never`,
              found: lateness(attempt, effect),
            })),
        ),
    );
}

/** How late the latest effect of an unsettled request was, in milliseconds after it was sent, and how many there were. */
export async function unsettledEffects(
  db: Sql,
  { intents }: Journal,
): Promise<{ readonly count: number; readonly latestMs: number }> {
  const effects = new Map((await effectsOfRequests(db)).map((effect) => [effect.requestId, effect]));
  const delays = intents
    .filter(({ key }) => key === undefined)
    .flatMap(({ attempts }) => attempts)
    .flatMap((attempt) => {
      const effect = attempt.outcome === 'unknown' ? effects.get(attempt.requestId) : undefined;
      return effect ? [effect.committedAt - attempt.sentAt] : [];
    });
  return { count: delays.length, latestMs: Math.round(Math.max(0, ...delays)) };
}

function lateness({ sentAt, endedAt, status }: Attempt, { committedAt }: Effect): string {
  const after = Math.round(committedAt - endedAt);
  const end = status === undefined ? 'its client left' : `the answer of ${status}`;
  return `${Math.round(committedAt - sentAt)} ms after it was sent, ${after} ms after ${end}`;
}

async function effectsOfRequests(db: Sql): Promise<Effect[]> {
  return db.rows(sql<Effect>`
    select coalesce(client_transaction_id, request_id) as "requestId", object_kind || ' ' || operation || ' ' || object_name as what,
      (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as "committedAt"
    from history where coalesce(client_transaction_id, request_id) like 'torture-%'`);
}
