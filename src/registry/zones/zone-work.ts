import type { Purge } from '../../platform/jobs/run-purge.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';

/** Whether a zone has marks or was never published, as a condition for the statement that asks for work of all jobs. */
export const zoneWork = ({ zones }: Policy): Fragment =>
  sql`exists (select from unnest(${zones.map(({ origin }) => origin)}::text[]) as o(zone) where ${hasZoneWork})`;

/** A condition on the zone `o.zone`: it has marks and is not frozen, or was never published. */
export const hasZoneWork: Fragment = sql`
  case when exists (select from zone_marks m where m.zone = o.zone)
    then not exists (select from zones z where z.zone = o.zone and z.frozen_since is not null)
    else not exists (select from zones z where z.zone = o.zone) end`;

const DAY_MS = 86_400_000;
const MAX_DELETED = 1_000;

/**
 * The oldest serials of each zone, up to the first that is young enough: a clock that was wrong for a while made younger
 * ones with old times, and a gap would lose changes. The newest serial of a zone stays, however old it is.
 */
const oldSerials = (now: Date, days: number): Fragment => sql`
  select s.id from (
    select z.zone, coalesce(
      (select s.id from zone_serials s where s.zone = z.zone and s.published_at >= ${new Date(now.getTime() - days * DAY_MS)} order by s.id limit 1),
      (select max(s.id) from zone_serials s where s.zone = z.zone)) as first
    from zones z offset 0) as k
  join zone_serials s on s.zone = k.zone and s.id < k.first`;

export const serialPurge = ({ zoneChangeDays: days }: Policy): Purge => ({
  step: 'delete zone serials',
  table: sql`zone_serials`,
  due: (time) => oldSerials(time, days),
  removeSome: (db, time) =>
    db.run(
      sql`delete from zone_serials where id in (${oldSerials(time, days)} order by s.id limit ${MAX_DELETED})`,
    ),
  byWallClock: true,
});
