import { once } from '../billing/once.ts';
import type { Sql } from '../platform/database/database.ts';
import { moveBy } from '../platform/dates.ts';
import type { Keyed } from '../platform/idempotency.ts';
import { availableAmong } from './available.ts';
import { registrationCode, userUniqueId } from './codes.ts';
import { NoneAvailable, type ReservationParts } from './parts.ts';
import { reservationStatus } from './status.ts';

export type ReservedName = { readonly name: string; readonly password: string; readonly expire_at: string };
export type ShortReservation = {
  readonly user_unique_id: string;
  readonly reserved_domains: readonly ReservedName[];
};

/**
 * Keeps names for free, for a week. What cannot be had is left out. The kept answer has the id alone: codes are read
 * anew when it is repeated.
 */
export async function reserveNames(
  { database, policy }: ReservationParts,
  texts: readonly string[],
  keyed: Keyed,
): Promise<{ readonly answer: ShortReservation; readonly replayed: boolean }> {
  const { now } = keyed;
  const { answer, replayed } = await once(database, keyed, async (write) => {
    const names = await availableAmong(database.reads, texts, { policy, now });
    if (names.length === 0) throw new NoneAvailable();
    const expiresAt = moveBy(now, `P${policy.reservations.freeDays}D`, policy.timeZone) ?? now;
    return write(async (sql) => {
      const id = userUniqueId();
      await persist(sql, { id, names, expiresAt, now });
      return { user_unique_id: id };
    });
  });
  const { user_unique_id: id } = answer as { user_unique_id: string };
  const entries = (await reservationStatus(database.reads, id, now)) ?? [];
  const reserved = entries.flatMap(({ name, password, expire_at }) =>
    password && expire_at ? [{ name, password, expire_at }] : [],
  );
  return { answer: { user_unique_id: id, reserved_domains: reserved }, replayed };
}

type NewReservation = {
  readonly id: string;
  readonly names: readonly string[];
  readonly expiresAt: Date;
  readonly now: Date;
};

/** All of the names or none: who was quicker with one of them makes us look again. */
async function persist(sql: Sql, { id, names, expiresAt, now }: NewReservation): Promise<void> {
  await sql`
    with reservation as (
      insert into reservations (user_unique_id, created_at, granted_at) values (${id}, ${now}, ${now}) returning id),
    asked as (
      select * from unnest(${names as string[]}::text[], ${names.map(registrationCode)}::text[]) with ordinality as a(name, code, place)),
    listed as (
      insert into reservation_names (reservation_id, name, place) select reservation.id, name, place from reservation cross join asked),
    kept as (
      insert into reserved_names (name, code, expires_at, created_at, reservation_id)
      select asked.name, asked.code, ${expiresAt}, ${now}, reservation.id from reservation cross join asked order by asked.name
      on conflict (name) do update set code = excluded.code, expires_at = excluded.expires_at, created_at = excluded.created_at, reservation_id = excluded.reservation_id
      where reserved_names.expires_at <= ${now}
      returning name),
    recorded as (
      insert into history (at, object_kind, object_id, object_name, operation, actor)
      select ${now}, 'name', 0, name, 'reserve', 'portal' from kept)
    select must_hold(count(*) = ${names.length}) from kept`;
}
