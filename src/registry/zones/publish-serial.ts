import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

/** A zone whose serial an operator changes, as it was when that was decided on. */
export type SerialZone = { readonly serial: number; readonly isFrozen: boolean };

const SERIAL_ZONE: Fragment = sql`z.serial, z.frozen_since is not null as "isFrozen"`;

export const findSerial = (db: Sql, zone: string): Promise<SerialZone | undefined> =>
  db.maybe(sql<SerialZone>`select ${SERIAL_ZONE} from zones z where z.zone = ${zone}`);

/** The serial of a zone that may get another. Who froze it was promised that secondaries keep the last one. */
export function requireSerial(found: SerialZone | undefined, zone: string): number {
  const { serial, isFrozen } = found ?? refuse('zoneNeverPublished', { zone });
  return isFrozen ? refuse('zoneKeepsSerial', { zone }) : serial;
}

type NewSerial = {
  readonly zone: string;
  readonly before: number;
  readonly serial: number;
  readonly publishedAt: Date;
};

/** The same content under another serial, unless a writer of the zone was faster. */
export const publishSerial = ({ zone, before, serial, publishedAt }: NewSerial): PublishedSerial => ({
  changed: sql`
    update zones set serial = ${serial}::bigint, published_at = ${publishedAt}
    where zone = ${zone} and serial = ${before}::bigint and frozen_since is null returning id, zone as name`,
  published: sql`
    insert into zone_serials (zone, serial, soa, published_at, previous_id)
    select last.zone, ${serial}::bigint, jsonb_set(last.soa, '{data,serial}', to_jsonb(${serial}::bigint)), ${publishedAt}, last.id
    from changed cross join lateral (
      select s.id, s.zone, s.soa from zone_serials s where s.zone = changed.name order by s.id desc limit 1) as last`,
});

/** Parts of a statement. */
type PublishedSerial = { readonly changed: Statement; readonly published: Statement };
