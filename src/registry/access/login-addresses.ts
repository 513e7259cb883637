import { isIP } from 'node:net';
import { withoutDeadline } from '../../platform/work-scope.ts';
import type { Purge } from '../../platform/jobs/run-purge.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { addressBucket, normaliseAddress } from '../../platform/values/ip-addresses.ts';

/** 30 days after the last success, plus the day by which a row may lag behind. */
const KNOWN_DAYS = 31;
/** Rows are checked hourly and rewritten after 23 hours, so none is more than a day out of date. */
const REWRITTEN_AFTER_HOURS = 23;
const CHECK_INTERVAL_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;
const BATCH = 1_000;

/** Whether the API user `u` of the statement recently logged in from this address. */
export function isKnownAddressOfUser(address: string, now: Date): Fragment {
  return sql`exists (
    select from login_addresses l
    where l.user_id = u.id and l.address = ${addressBucket(address)} and l.succeeded_at > ${now}::timestamptz - ${KNOWN_DAYS} * interval '1 day')`;
}

/**
 * The same of the person `p` of the statement. A session begins after the last factor, and its row is kept for 30 days. The
 * placeholder that a proxy may send instead of an address is never known.
 */
export function isKnownAddressOfPerson(address: string, now: Date): Fragment {
  const bucket = isIP(normaliseAddress(address)) === 0 ? null : addressBucket(address);
  return sql`exists (
    select from person_sessions s
    where s.person_id = p.id and s.address <<= ${bucket}::inet and s.created_at > ${now}::timestamptz - ${KNOWN_DAYS} * interval '1 day')`;
}

export type KnownAddress = { readonly address: string; readonly registrar: string };

/** From which API users have recently logged in, and of which registrar the last of them was; the latest last. */
export async function readKnownAddresses(db: Sql): Promise<readonly KnownAddress[]> {
  return await db.rows(sql<KnownAddress>`
    select address, registrar from (
      select distinct on (l.address) l.address, r.code as registrar, l.succeeded_at
      from (select * from login_addresses order by succeeded_at desc limit ${MAX_REMEMBERED}) as l
      join api_users u on u.id = l.user_id join registrars r on r.id = u.registrar_id
      order by l.address, l.succeeded_at desc) as latest
    order by succeeded_at`);
}

/** Records the addresses API users log in from, about once a day per user and address, in the background. */
export class LoginAddresses {
  readonly #db: Sql;
  readonly #failed: (error: unknown) => void;
  /** When the row was last checked, by user and address. */
  readonly #checkedAt = new Map<string, number>();

  constructor(db: Sql, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
  }

  /** Called with every request: uses only memory unless a write is due. */
  noteSuccess(userId: number, address: string, now: Date): void {
    const key = `${userId} ${address}`;
    const age = now.getTime() - (this.#checkedAt.get(key) ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < CHECK_INTERVAL_MS) return;
    // A proxy may send a placeholder such as "unknown" instead of an address; all clients behind it share that.
    if (isIP(normaliseAddress(address)) === 0) return;
    if (this.#checkedAt.size >= MAX_REMEMBERED) this.#checkedAt.clear();
    this.#checkedAt.set(key, now.getTime());
    withoutDeadline(() => this.#write(userId, addressBucket(address), now)).catch(this.#failed);
  }

  /** A row written within the day, by any server, is left unchanged. */
  async #write(userId: number, address: string, now: Date): Promise<void> {
    await this.#db.run(sql`
      insert into login_addresses as l (user_id, address, succeeded_at) values (${userId}, ${address}, ${now})
      on conflict (user_id, address) do update set succeeded_at = excluded.succeeded_at
      where l.succeeded_at <= excluded.succeeded_at - ${REWRITTEN_AFTER_HOURS} * interval '1 hour'`);
  }
}

const oldAddresses = (now: Date): Fragment => sql`
  select ctid from login_addresses where succeeded_at <= ${now}::timestamptz - ${KNOWN_DAYS} * interval '1 day'`;

export const loginAddressPurge: Purge = {
  step: 'delete login addresses',
  table: sql`login_addresses`,
  due: oldAddresses,
  removeSome: (db, time) =>
    db.run(sql`delete from login_addresses where ctid = any(array(${oldAddresses(time)} limit ${BATCH}))`),
};
