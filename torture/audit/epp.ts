import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';
import type { Journal } from '../journal.ts';
import type { Life } from '../node.ts';

/** Of src/registry/sessions/session-leases.ts. */
const LEASE_MS = 20_000;
/** A renewal that was under way when its process died may reach the database late, by a connection that stalls. */
const LATE_MS = 10_000;
const POLL_INTERVAL_MS = 500;

type Session = { readonly id: string; readonly server: string; readonly leaseUntil: number };

/** Transfers and legal documents are written with their change. */
export async function auditEppRecords(db: Sql): Promise<Finding[]> {
  return db.rows(sql<Finding>`
    with known as (select min(transferred_at) as since from transfers),
    changes as (
      select object_id as id, count(*) as times from history, known
      where object_kind = 'domain' and operation = 'transfer' and at >= since group by 1)
    select 'transfers are not recorded as often as they happened' as finding, d.name as subject,
      coalesce(c.times, 0)::text as expected, (select count(*) from transfers t where t.domain_id = d.id)::text as found
    from domains d left join changes c on c.id = d.id
    where coalesce(c.times, 0) <> (select count(*) from transfers t where t.domain_id = d.id)
    union all
    select 'a legal document belongs to no change', 'document ' || l.id || ' of ' || l.object_name, 'a change by ' || l.request_id, 'none'
    from legal_documents l where not exists (
      select from history h where h.request_id = l.request_id and h.object_kind = l.object_kind and h.object_id = l.object_id)`);
}

/** What was changed through EPP was sent, by a client of the same user; and one command had one server's id. */
export async function auditEppHistory(db: Sql, { intents }: Journal): Promise<Finding[]> {
  const attempts = intents.flatMap(({ who, attempts }) =>
    attempts.map(({ requestId }) => ({ user: who.split('-epp-')[0]?.toLowerCase() ?? '', requestId })),
  );
  return db.rows(sql<Finding>`
    select 'a change through EPP that no client sent' as finding, 'history ' || h.id || ' by ' || h.actor as subject,
      coalesce('epp:' || a.username, 'none') as expected, coalesce(h.client_transaction_id, 'no clTRID') as found
    from history h left join unnest(${attempts.map(({ requestId }) => requestId)}::text[], ${attempts.map(({ user }) => user)}::text[])
      as a(id, username) on a.id = h.client_transaction_id
    where h.actor like 'epp:%' and h.actor is distinct from 'epp:' || a.username
    union all
    select 'a clTRID of another interface', 'history ' || id, 'none', client_transaction_id
    from history where client_transaction_id is not null and actor not like 'epp:%'
    union all
    select 'one command was carried out twice', client_transaction_id, '1', count(distinct request_id)::text
    from history where client_transaction_id like 'torture-%' group by client_transaction_id having count(distinct request_id) > 1`);
}

/** A session belongs to a running process, or to one that died less than a lease ago. */
export async function auditSessions(db: Sql, lives: readonly Life[]): Promise<Finding[]> {
  const sessions = await readSessions(db);
  return sessions.flatMap(({ id, server, leaseUntil }) => {
    const life = lifeOf(server, lives);
    const isKept = life !== undefined && life.endedAt === undefined;
    const excess = leaseUntil - (life?.endedAt ?? 0) - LEASE_MS - LATE_MS;
    if (isKept || (life && excess <= 0)) return [];
    return [
      {
        finding: 'a lease outlives the process of its session',
        subject: `session ${id} of ${server}`,
        expected: life ? `until ${LEASE_MS} ms after its end` : 'none, there is no such process',
        found: life ? `${excess} ms more` : new Date(leaseUntil).toISOString(),
      },
    ];
  });
}

/**
 * With no client left, no process keeps a session. One that could not be deleted, because the database was unavailable, counts
 * until its lease ends.
 */
export async function auditLeftSessions(
  db: Sql,
  lives: readonly Life[],
  withinMs = LEASE_MS + LATE_MS,
): Promise<Finding[]> {
  const end = Date.now() + withinMs;
  const isHeld = ({ server, leaseUntil }: Session) =>
    leaseUntil > Date.now() && lifeOf(server, lives)?.endedAt === undefined;
  let held = (await readSessions(db)).filter(isHeld);
  while (held.length > 0 && Date.now() < end) {
    await sleep(POLL_INTERVAL_MS);
    held = (await readSessions(db)).filter(isHeld);
  }
  return held.map(({ id, server }) => ({
    finding: 'a session is held for a client that has left',
    subject: `session ${id} of ${server}`,
    expected: 'none',
    found: 'its lease is renewed',
  }));
}

const lifeOf = (server: string, lives: readonly Life[]): Life | undefined =>
  lives.findLast(({ pid }) => server.endsWith(`:${pid}`));

const readSessions = (db: Sql): Promise<Session[]> =>
  db.rows(sql<Session>`
    select id, server, (extract(epoch from lease_until) * 1000)::float8 as "leaseUntil" from epp_sessions`);
