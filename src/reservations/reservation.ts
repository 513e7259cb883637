import { randomBytes } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { Policy } from '../policy/policy.ts';
import { findNameStates, whyUnavailable } from '../registry/names/availability.ts';
import { isZoneOrigin } from '../registry/names/name.ts';
import { parseDomainNames } from '../registry/names/name-lists.ts';

export type Entry = {
  readonly name: string;
  readonly status: 'reserved' | 'registered' | 'expired';
  /** The code that registers it, and until when; only while it is reserved. */
  readonly code?: string;
  readonly expiresAt?: string;
};

type Row = {
  readonly name: string;
  readonly registered: boolean;
  readonly code: string | null;
  readonly expiresAt: string | null;
};

/** A moment as shown to clients: with milliseconds and the offset of the time zone. */
export const zonedTime = (at: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 3 });

/** The names of a free reservation with their states; undefined if the id is unknown. */
export async function reservationStatus(
  db: Sql,
  userUniqueId: string,
  now: Date,
): Promise<Entry[] | undefined> {
  const found = await db.maybe(sql<{ id: number }>`
    select id from reservations where user_unique_id = ${userUniqueId} and invoice_number is null`);
  return found && entriesOf(db, found.id, now);
}

/** Codes belong to the reservation, not to the name: the code of the name's current holder is never shown here. */
export async function entriesOf(db: Sql, reservationId: number, now: Date): Promise<Entry[]> {
  const rows = await db.rows(sql<Row>`
    select n.name, n.registered_at is not null or coalesce(n.lost_to = 'registration', false) as registered, r.code,
      to_char(r.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM') as "expiresAt"
    from reservation_names n left join reserved_names r on r.name = n.name and r.reservation_id = n.reservation_id and r.expires_at > ${now}
    where n.reservation_id = ${reservationId} order by n.position`);
  return rows.map(({ name, registered, code, expiresAt }) => {
    if (registered) return { name, status: 'registered' };
    if (code === null || expiresAt === null) return { name, status: 'expired' };
    return { name, status: 'reserved', code, expiresAt };
  });
}

/** The code that allows registering one name. */
export const registrationCode = (): string => randomBytes(16).toString('hex');

const ID_BYTES = 8;
const ID_LENGTH = 10;

/** Links a portal's user to a reservation: ten characters of six random bits each. */
export const userUniqueId = (): string => randomBytes(ID_BYTES).toString('base64url').slice(0, ID_LENGTH);

/** Those of the names that can be registered without a code now, in their order. */
export async function filterAvailable(db: Sql, names: readonly string[], now: Date): Promise<string[]> {
  const states = await findNameStates(db, names, now);
  return states.filter((state) => whyUnavailable(state) === undefined).map(({ name }) => name);
}

/** The valid names in our zones, each once; zone origins are excluded. */
export async function parseNames(texts: readonly string[], policy: Policy): Promise<string[]> {
  const names = (await parseDomainNames(texts, policy)).flatMap((name) => name?.unicode ?? []);
  return [...new Set(names)].filter((name) => !isZoneOrigin(name, policy));
}
