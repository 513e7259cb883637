import { randomUUID } from 'node:crypto';
import { runTransaction } from '../../operations/in-transaction.ts';
import { wallClock } from '../../platform/clock/clock.ts';
import { withoutDeadline } from '../../platform/work-scope.ts';
import { KeyedTurns } from '../../platform/concurrency/keyed-turns.ts';
import type { DueTime } from '../../platform/jobs/repair-due-times.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { normaliseAddress } from '../../platform/values/ip-addresses.ts';
import type { CertificateMode, ClientIdentity } from '../access/known-users.ts';
import type { ApiUser } from '../actor.ts';
import { refuse } from '../registry-refusals.ts';
import { SessionAdmissions } from './session-admissions.ts';

/** How long the session of a killed process still counts. */
const LEASE_MS = 20_000;
/** Sessions of processes that were killed while the clock was ahead would count for as long as it was. */
export const sessionLeaseTime: DueTime = {
  what: 'leases of EPP sessions',
  table: 'epp_sessions',
  column: 'lease_until',
  maxAheadMs: LEASE_MS,
};
/** How often `renew` is to be called. */
export const LEASE_RENEWAL_INTERVAL_MS = 5_000;
/** Rows of registrars that never log in again are deleted by others after this time. */
const ABANDONED_AFTER_HOURS = 1;
const MAX_USER_AGENT_LENGTH = 1_000;

/** Beyond it logins are refused; each takes a few milliseconds. */
const MAX_WAITING_PER_REGISTRAR = 256;

/** Why the registry ends a session. */
export type SessionEnd = 'access-lost' | 'operator' | 'lease-lost' | 'reset';
type SessionClient = ClientIdentity & { readonly userAgent?: string | undefined };
/** `end` is called once, when the registry ends the session. */
type NewSession = SessionClient & { readonly end: (reason: SessionEnd) => void };

export type SessionLease = {
  readonly id: string;
  countCommand(): void;
  /** Gives the place free. It does not fail: a row that cannot be deleted now expires. */
  release(): Promise<void>;
};

type Rules = {
  readonly sessionsPerRegistrar: number;
  readonly certificates: CertificateMode;
  /** This process, as operators see it. */
  readonly server: string;
  readonly onEnded: (reason: SessionEnd, detail: string, session: HeldSession) => void;
};
type HeldSession = { readonly id: string; readonly principal: ApiUser; readonly client: ClientIdentity };

/**
 * The EPP sessions of this process, each a row with a lease. They are counted per registrar over all processes, and
 * those of a process that was killed end with their leases. Times are those of the database: servers agree on them, and
 * the sandbox's clock does not move them.
 */
export class SessionLeases {
  readonly #database: Pick<Database, 'reads' | 'writes'>;
  readonly #rules: Rules;
  readonly #leases = new Map<string, HeldLease>();
  readonly #releases = new Set<Promise<void>>();
  readonly #admissions: SessionAdmissions;
  /** Logins of one registrar wait for its lock here, and not on connections that others need. */
  readonly #turns = new KeyedTurns(MAX_WAITING_PER_REGISTRAR);

  constructor(database: Pick<Database, 'reads' | 'writes'>, rules: Rules) {
    this.#database = database;
    this.#rules = rules;
    this.#admissions = new SessionAdmissions(database.reads, rules.certificates);
  }

  get size(): number {
    return this.#leases.size;
  }

  async open(principal: ApiUser, { end, ...client }: NewSession): Promise<SessionLease> {
    const id = randomUUID();
    const insert = () =>
      runTransaction(this.#database.writes, wallClock.now(), (db) => this.#insert(db, id, principal, client));
    const isOpen = await (this.#turns.take(principal.registrarCode, insert) ?? refuse('overload'));
    if (!isOpen) refuse('tooManySessions', { most: this.#rules.sessionsPerRegistrar });
    const lease = new HeldLease({ id, principal, client }, end, () => this.#release(id));
    this.#leases.set(id, lease);
    return lease;
  }

  /** Extends the leases in one statement, and ends the sessions that an operator has ended or that others have displaced. */
  async renew(): Promise<void> {
    const leases = [...this.#leases.values()];
    if (leases.length === 0) return;
    const rows = await this.#database.writes.rows(sql<{ id: string; isEndRequested: boolean }>`
      update epp_sessions s set lease_until = ${this.#leaseEnd()}, commands = c.commands, last_command_at = c.last
      from unnest(${leases.map(({ id }) => id)}::uuid[], ${leases.map(({ commands }) => commands)}::bigint[],
        ${leases.map(({ lastCommandAt }) => lastCommandAt.toISOString())}::timestamptz[]) as c(id, commands, last)
      where s.id = c.id
      returning s.id, s.end_requested_at is not null as "isEndRequested"`);
    const found = new Map(rows.map(({ id, isEndRequested }) => [id, isEndRequested]));
    for (const lease of leases) {
      const isEndRequested = found.get(lease.id);
      if (isEndRequested === undefined) this.#end(lease, 'lease-lost', 'its lease had expired');
      else if (isEndRequested) this.#end(lease, 'operator', 'an operator ended it');
    }
  }

  /** Ends the sessions whose users may no longer log in as they did; to be called every second. */
  async endRevoked(): Promise<void> {
    const leases = [...this.#leases.values()];
    const faultOf = await this.#admissions.check(leases.map(({ principal }) => principal));
    for (const lease of leases) {
      const fault = faultOf(lease.principal, lease.client, wallClock.now());
      if (fault !== undefined) this.#end(lease, 'access-lost', fault);
    }
  }

  endAll(reason: SessionEnd): void {
    for (const lease of this.#leases.values()) this.#end(lease, reason, reason);
  }

  /** At shutdown, when the connections are closed; resolves when nothing more is sent to the database. */
  async close(): Promise<void> {
    const ids = [...this.#leases.keys()];
    this.#leases.clear();
    await Promise.all(this.#releases);
    if (ids.length > 0)
      await this.#database.writes.run(sql`delete from epp_sessions where id = any(${ids}::uuid[])`);
  }

  /**
   * Serialised per registrar. Only this deletes expired rows, and it counts those that are left: a late renewal either
   * comes first and counts, or finds no row.
   */
  async #insert(db: Sql, id: string, { registrarId, userId }: ApiUser, client: SessionClient) {
    await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`EPP sessions of ${registrarId}`}, 0))`);
    await db.run(sql`
      delete from epp_sessions where registrar_id = ${registrarId} and lease_until <= clock_timestamp()`);
    await db.run(sql`
      delete from epp_sessions where id in (
        select id from epp_sessions where lease_until <= clock_timestamp() - ${ABANDONED_AFTER_HOURS} * interval '1 hour'
        for update skip locked)`);
    const inserted = await db.run(sql`
      insert into epp_sessions (id, registrar_id, user_id, address, server, user_agent, logged_in_at, lease_until, last_command_at)
      select ${id}, ${registrarId}, ${userId}, ${inetOf(client.address)}::inet, ${this.#rules.server},
        ${client.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null}, clock_timestamp(), ${this.#leaseEnd()}, clock_timestamp()
      where (select count(*) from epp_sessions where registrar_id = ${registrarId}) < ${this.#rules.sessionsPerRegistrar}`);
    return inserted === 1;
  }

  #leaseEnd = () => sql`clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`;

  #end(lease: HeldLease, reason: SessionEnd, detail: string): void {
    if (lease.end(reason)) this.#rules.onEnded(reason, detail, lease);
  }

  async #release(id: string): Promise<void> {
    if (!this.#leases.delete(id)) return;
    const remove = () => this.#database.writes.run(sql`delete from epp_sessions where id = ${id}`);
    const released = withoutDeadline(remove).then(
      () => {},
      () => {},
    );
    this.#releases.add(released);
    await released;
    this.#releases.delete(released);
  }
}

class HeldLease implements SessionLease {
  readonly id: string;
  readonly principal: ApiUser;
  readonly client: ClientIdentity;
  readonly release: () => Promise<void>;
  commands = 0;
  lastCommandAt = wallClock.now();
  readonly #onEnd: (reason: SessionEnd) => void;
  #isEnded = false;

  constructor(
    { id, principal, client }: HeldSession,
    onEnd: (reason: SessionEnd) => void,
    release: () => Promise<void>,
  ) {
    this.id = id;
    this.principal = principal;
    this.client = client;
    this.#onEnd = onEnd;
    this.release = release;
  }

  countCommand(): void {
    this.commands += 1;
    this.lastCommandAt = wallClock.now();
  }

  /** False if it was ended before. */
  end(reason: SessionEnd): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    this.#onEnd(reason);
    return true;
  }
}

/** The type inet has no zones of link-local addresses. */
const inetOf = (address: string): string => normaliseAddress(address).split('%', 1)[0] ?? '';
