import { runTransaction } from '../../operations/in-transaction.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { persistChanges } from '../domains/persist-domains.ts';
import { readLocked } from '../domains/readings/read-locked.ts';
import { registryAuthor } from '../history/read-history.ts';
import { endExpired } from '../names/end-disputes.ts';
import { decideRequest } from '../requests/answer-request.ts';
import { BATCH, type RecordStepCount, type StepContext } from './run-step.ts';

/** What the two steps close, as queries that return a row if there is any. */
export const lapsedRequests = ({ now }: StepContext): Fragment =>
  sql`select from registrant_requests where closed_at is null and expires_at <= ${now}`;
export const expiredDisputes = ({ now }: StepContext): Fragment =>
  sql`select from disputes where closed_at is null and expires_at <= ${now}`;

/** Closes one batch of requests that were not answered in time; returns their number. */
export function expireRequests(
  { writes }: Database,
  context: StepContext,
  record?: RecordStepCount,
): Promise<number> {
  return runTransaction(writes, context.now, async (db) => {
    const requests = await lockLapsed(db, context.now);
    const changes = requests.map(({ kind, domain }) =>
      decideRequest(
        domain,
        { kind, expiresAt: context.now, newRegistrant: null, newTransferCode: '' },
        'lapse',
        context,
      ),
    );
    await persistChanges(db, changes, registryAuthor(context.now));
    await record?.(db, changes.length);
    return changes.length;
  });
}

async function lockLapsed(db: Sql, now: Date) {
  const rows = await db.rows(sql<{ kind: 'registrant change' | 'deletion'; id: number }>`
    select q.kind, d.id from registrant_requests q join domains d on d.id = q.domain_id
    where q.closed_at is null and q.expires_at <= ${now}
    order by q.expires_at limit ${BATCH} for update of q, d skip locked`);
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]));
  const domains = await readLocked(db, [...kinds.keys()], now);
  return domains.map((domain) => ({ domain, kind: kinds.get(domain.id) ?? 'deletion' }));
}

/** Closes one batch of expired disputes, as an operator would; returns their number. */
export const expireDisputes = (
  { writes }: Database,
  { now }: StepContext,
  record?: RecordStepCount,
): Promise<number> =>
  runTransaction(writes, now, async (db) => {
    const ended = await endExpired(db, sql`true`, now);
    await record?.(db, ended);
    return ended;
  });
