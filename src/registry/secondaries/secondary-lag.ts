import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** What a secondary has of a zone, beside what is published. */
export type SecondaryLag = {
  readonly secondary: string;
  readonly zone: string;
  /** Null if it has not told, nor transferred the zone. */
  readonly has: number | null;
  /** When it first asked, if it has not told; then only what was published later is known to be missing. */
  readonly askedAt: Date | null;
  readonly serial: number;
  /** Serials that were published since; all that are kept, if its serial is none of them. */
  readonly behind: number;
  /** When the oldest of them was published; null if none is known to be missing. */
  readonly missingSince: Date | null;
};

/** More are counted as this many: a metric must not read a week of serials. */
const MAX_COUNTED = 10_000;

/**
 * Every secondary with every zone. `known_id` is the row of its serial; it is null for a serial that is not kept any
 * more, or that was never published here. One that has asked, and did not transfer, was told the serial of that time.
 */
const secondaryZones: Fragment = sql`
  select s.name as secondary, s.created_at, z.zone, z.serial, h.serial as has, h.at as seen_at, k.id as known_id
  from dns_secondaries s cross join zones z
    left join dns_secondary_serials h on h.secondary_id = s.id and h.zone = z.zone
    left join lateral (
      (select id from zone_serials k where k.zone = z.zone and k.serial = h.serial order by k.id desc limit 1)
      union all
      (select id from zone_serials k where k.zone = z.zone and h.serial is null and k.published_at <= h.at
        order by k.id desc limit 1)) k on true
  where s.removed_at is null`;

/** Not the time of the newest serial: where something is published every second it is never long ago. */
const missingSince: Fragment = sql`
  (select greatest(n.published_at, p.created_at) from zone_serials n
    where n.zone = p.zone and n.id > coalesce(p.known_id, 0) order by n.id limit 1)`;

const countBehind: Fragment = sql`
  (select count(*) from (
    select from zone_serials n where n.zone = p.zone and n.id > coalesce(p.known_id, 0) limit ${MAX_COUNTED}) as n)`;

/** The secondaries that have lacked something for longer than this, or have asked since and not told what they have. */
export const findLagging = (db: Sql, minutes: number): Promise<SecondaryLag[]> =>
  db.rows(sql<SecondaryLag>`
    select * from (
      select secondary, zone, has, serial, case when has is null then seen_at end as "askedAt",
        ${countBehind} as behind, ${missingSince} as "missingSince"
      from (${secondaryZones}) as p) as lag
    where coalesce("missingSince", "askedAt") < clock_timestamp() - make_interval(mins => ${minutes}::int)
    order by secondary, zone`);

const labelNames = ['secondary', 'zone'];

export const secondaryMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_dns_secondary_serial',
    help: 'The serial that a secondary had when it last asked for a transfer or received one',
    labelNames,
    query: sql`select secondary, zone, has as value from (${secondaryZones}) as p`,
  },
  {
    name: 'cadastre_dns_secondary_seen_timestamp_seconds',
    help: 'When a secondary last asked for a transfer or received one',
    labelNames,
    query: sql`select secondary, zone, extract(epoch from seen_at) as value from (${secondaryZones}) as p`,
  },
  {
    name: 'cadastre_dns_secondary_serials_behind',
    help: 'Serials that were published and a secondary does not have',
    labelNames,
    query: sql`select secondary, zone, ${countBehind} as value from (${secondaryZones}) as p`,
  },
  {
    name: 'cadastre_dns_secondary_oldest_missing_timestamp_seconds',
    help: 'When the oldest serial was published that a secondary does not have',
    labelNames,
    query: sql`select secondary, zone, extract(epoch from ${missingSince}) as value from (${secondaryZones}) as p`,
  },
];
