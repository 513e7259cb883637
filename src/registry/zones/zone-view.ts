import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ZoneRecord } from './zone-record.ts';

export type ZoneStatus = {
  readonly zone: string;
  /** Null for a zone that was never published. */
  readonly serial: number | null;
  readonly publishedAt: Date | null;
  readonly domains: number;
  /** Domains whose changes are not published yet, and when the oldest was made. */
  readonly waiting: number;
  readonly waitingSince: Date | null;
  readonly frozenSince: Date | null;
  readonly frozenReason: string | null;
};

export const listZones = (db: Sql, { zones }: Policy): Promise<ZoneStatus[]> =>
  db.rows(sql<ZoneStatus>`
    select o.zone, z.serial, z.published_at as "publishedAt",
      (select count(*) from zone_records r where r.zone = o.zone and r.domain is not null) as domains,
      m.waiting, m.since as "waitingSince", z.frozen_since as "frozenSince", z.frozen_reason as "frozenReason"
    from unnest(${zones.map(({ origin }) => origin)}::text[]) with ordinality as o(zone, position)
      left join zones z on z.zone = o.zone
      cross join lateral (
        select count(distinct m.name) as waiting, min(m.marked_at) as since from zone_marks m where m.zone = o.zone) m
    order by o.position`);

export type PublishedName = {
  readonly records: readonly ZoneRecord[];
  readonly waitingSince: Date | null;
};

/** What is published for one domain or zone. */
export async function readPublished(
  db: Sql,
  zone: string,
  { name, label }: { readonly name: string; readonly label: string },
): Promise<PublishedName> {
  const { records, waitingSince } = await db.one(sql<{
    records: readonly ZoneRecord[] | null;
    waitingSince: Date | null;
  }>`
    select (select records from zone_records where zone = ${zone} and label = ${label}) as records,
      (select min(marked_at) from zone_marks where zone = ${zone} and name = ${name}) as "waitingSince"`);
  return { records: records ?? [], waitingSince };
}

const labelNames = ['zone'];
const requires = 'zones';

export const zoneMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_zone_serial',
    help: 'The serial of a zone',
    ...{ labelNames, requires },
    query: sql`select zone, serial as value from zones`,
  },
  {
    name: 'cadastre_zone_oldest_unpublished_timestamp_seconds',
    help: 'When the oldest change was made that is not published yet',
    ...{ labelNames, requires },
    query: sql`
      select z.zone, extract(epoch from (select marked_at from zone_marks m where m.zone = z.zone order by m.id limit 1)) as value
      from zones z`,
  },
  {
    name: 'cadastre_zone_frozen',
    help: '1 while an operator has stopped the publication of a zone',
    ...{ labelNames, requires },
    query: sql`select zone, (frozen_since is not null)::int as value from zones`,
  },
];
