import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';
import { addToSerial, isLaterSerial, serialOfTime, stepTowardsDate } from './serial.ts';

/** More than a writer publishes. */
const SERIALS_PER_SECOND = 10;
const MIN_RAISE = 1_000;
/** Far below half of all serials, beyond which a secondary would take the new one for an older one. */
const MAX_RAISE = 2 ** 24;

/**
 * After the database was taken back: secondaries may have serials that it does not know, and would not take a zone with
 * a lower one. The content stays; those that have a serial we do not know ask for the whole zone. Returns the number of
 * zones.
 */
export async function raiseSerials(db: Sql, recoveryPoint: Date, now: Date): Promise<number> {
  const lostSeconds = Math.max(now.getTime() - recoveryPoint.getTime(), 0) / 1000;
  const raise = Math.min(Math.ceil(SERIALS_PER_SECOND * lostSeconds) + MIN_RAISE, MAX_RAISE);
  const zones = await db.rows(
    sql<{ zone: string; serial: number }>`select zone, serial from zones order by zone for update`,
  );
  for (const { zone, serial } of zones) {
    const [raised, time] = [addToSerial(serial, raise), serialOfTime(now)];
    const next = isLaterSerial(time, raised) ? time : raised;
    await publishAs(db, zone, next, now);
  }
  return zones.length;
}

export type RaisedSerial = { readonly before: number; readonly serial: number };

/**
 * For a server that has a later serial than ours and so takes nothing: the same content as the serial after its own.
 * `now` is the wall clock.
 */
export async function raiseSerialAbove(
  db: Sql,
  { zone, above, now }: { readonly zone: string; readonly above: number; readonly now: Date },
  { actor, at, reason }: OperatorChange,
): Promise<RaisedSerial | 'never published' | 'frozen' | 'is later already' | 'too far'> {
  const found = await db.maybe(sql<{ id: number; serial: number; isFrozen: boolean }>`
    select id, serial, frozen_since is not null as "isFrozen" from zones where zone = ${zone} for update`);
  if (!found) return 'never published';
  // Who froze it was promised that secondaries keep the last serial.
  if (found.isFrozen) return 'frozen';
  const { id, serial: before } = found;
  const serial = addToSerial(above, 1);
  if (isLaterSerial(before, above)) return 'is later already';
  // Servers that have our present serial would take it for an older one.
  if (!isLaterSerial(serial, before)) return 'too far';
  await publishAs(db, zone, serial, now);
  await db.run(sql`
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, before, after)
    values (${at}, 'zone', ${id}, ${zone}, 'raise serial', ${actor}, ${reason ?? null}, ${json({ serial: before })}, ${json({ serial })})`);
  return { before, serial };
}

export type LoweredSerial = RaisedSerial & { readonly isLast: boolean };

/**
 * One of the two steps by which a serial that is ahead is led back to the date. The second one waits until every
 * secondary has the first: one that missed it would take the date for older, and follow no more.
 */
export async function lowerSerial(
  db: Sql,
  { zone, now }: { readonly zone: string; readonly now: Date },
  { actor, at, reason }: OperatorChange,
): Promise<
  LoweredSerial | 'never published' | 'frozen' | 'not ahead' | { readonly behind: readonly string[] }
> {
  const found = await db.maybe(sql<{ id: number; serial: number; isFrozen: boolean }>`
    select id, serial, frozen_since is not null as "isFrozen" from zones where zone = ${zone} for update`);
  if (!found) return 'never published';
  if (found.isFrozen) return 'frozen';
  const { id, serial: before } = found;
  const step = stepTowardsDate(before, now);
  if (!step) return 'not ahead';
  const behind = step.isLast ? await listSecondariesBehind(db, zone, now) : [];
  if (behind.length > 0) return { behind };
  await publishAs(db, zone, step.serial, now);
  await db.run(sql`
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, before, after)
    values (${at}, 'zone', ${id}, ${zone}, 'lower serial', ${actor}, ${reason ?? null}, ${json({ serial: before })}, ${json({ serial: step.serial })})`);
  return { before, ...step };
}

async function listSecondariesBehind(db: Sql, zone: string, now: Date): Promise<string[]> {
  const secondaries = await db.rows(sql<{ name: string; serial: number | null }>`
    select s.name, h.serial from dns_secondaries s
      left join dns_secondary_serials h on h.secondary_id = s.id and h.zone = ${zone}
    where s.removed_at is null order by s.name`);
  return secondaries
    .filter(({ serial }) => serial === null || stepTowardsDate(serial, now)?.isLast !== true)
    .map(({ name }) => name);
}

/** A new serial of what is published; the zone is locked. */
const publishAs = (db: Sql, zone: string, serial: number, now: Date): Promise<unknown> =>
  db.run(sql`
    with raised as (update zones set serial = ${serial}::bigint, published_at = ${now} where zone = ${zone})
    insert into zone_serials (zone, serial, soa, published_at, previous_id)
    select zone, ${serial}::bigint, jsonb_set(soa, '{data,serial}', to_jsonb(${serial}::bigint)), ${now}, id
    from zone_serials where zone = ${zone} order by id desc limit 1`);
