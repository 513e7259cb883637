import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { compareRecords, type ZoneRecord } from './zone-record.ts';
import { readSoa } from './zone-store.ts';

export type ZoneStatus = {
  readonly zone: string;
  /** Null for a zone that was never published. */
  readonly serial: number | null;
  readonly publishedAt: Date | null;
  /** Domains whose changes are not published yet, and when the oldest was made. */
  readonly waiting: number;
  readonly waitingSince: Date | null;
  readonly frozenSince: Date | null;
  readonly frozenReason: string | null;
};

/** Without the number of domains: to count a million of them takes seconds, and this is asked in a hurry. */
export const listZones = (db: Sql, { zones }: Policy): Promise<ZoneStatus[]> =>
  db.rows(sql<ZoneStatus>`
    select o.zone, z.serial, z.published_at as "publishedAt",
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

type PublishedOwner = {
  readonly zone: string;
  readonly name: string;
  readonly label: string;
  readonly host?: string;
};

/** What is published for one domain or zone, or only for a host below a domain. */
export async function readPublished(
  db: Sql,
  { zone, name, label, host }: PublishedOwner,
): Promise<PublishedName> {
  const rows = await db.rows(sql<{ label: string; records: readonly ZoneRecord[] }>`
    select label, records from zone_records where zone = ${zone} and label in (${label}, '')`);
  const { waitingSince } = await db.one(sql<{ waitingSince: Date | null }>`
    select min(marked_at) as "waitingSince" from zone_marks where zone = ${zone} and name = ${name}`);
  // The servers of a zone may have names in it: their addresses are with the apex.
  const wanted = host ?? `${label}.${zone}`;
  const found = rows.flatMap((row) =>
    row.label === label && host === undefined
      ? row.records
      : row.records.filter((record) => record.name === wanted),
  );
  const soa = label === '' ? await readSoa(db, zone) : undefined;
  return { records: [...(soa ? [soa] : []), ...found].toSorted(compareRecords), waitingSince };
}

const labelNames = ['zone'];

export const zoneMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_zone_serial',
    help: 'The serial of a zone',
    labelNames,
    query: sql`select zone, serial as value from zones`,
  },
  {
    name: 'cadastre_zone_oldest_unpublished_timestamp_seconds',
    help: 'When the oldest change was made that is not published yet',
    labelNames,
    query: sql`
      select z.zone, extract(epoch from (select marked_at from zone_marks m where m.zone = z.zone order by m.id limit 1)) as value
      from zones z`,
  },
  {
    name: 'cadastre_zone_frozen',
    help: '1 while an operator has stopped the publication of a zone',
    labelNames,
    query: sql`select zone, (frozen_since is not null)::int as value from zones`,
  },
];
