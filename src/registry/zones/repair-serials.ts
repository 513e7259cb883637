import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { addToSerial, isLaterSerial, serialOfTime } from './serial.ts';

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

/** A new serial of what is published; the zone is locked. */
const publishAs = (db: Sql, zone: string, serial: number, now: Date): Promise<unknown> =>
  db.run(sql`
    with raised as (update zones set serial = ${serial}::bigint, published_at = ${now} where zone = ${zone})
    insert into zone_serials (zone, serial, soa, published_at, previous_id)
    select zone, ${serial}::bigint, jsonb_set(soa, '{data,serial}', to_jsonb(${serial}::bigint)), ${now}, id
    from zone_serials where zone = ${zone} order by id desc limit 1`);
