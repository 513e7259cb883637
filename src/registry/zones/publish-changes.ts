import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { Zone } from '../../policy/policy.ts';
import { soaRecord } from './records.ts';
import { aheadOfDate, nextSerial, serialOfTime } from './serial.ts';
import { differenceOf, type RecordDifference, type ZoneRecord } from './zone-record.ts';

/** The records that an owner should have; `domain` is null for what the policy publishes. */
export type Owner = {
  readonly label: string;
  readonly domain: string | null;
  readonly records: readonly ZoneRecord[];
};
export type OwnerChange = Owner & RecordDifference;

/** The owners whose published records are not those that they should have. */
export async function findChanges(db: Sql, zone: string, owners: readonly Owner[]): Promise<OwnerChange[]> {
  if (owners.length === 0) return [];
  const rows = await db.rows(sql<Pick<Owner, 'label' | 'records'>>`
    select label, records from zone_records where zone = ${zone} and label = any(${owners.map(({ label }) => label)}::text[])`);
  const stored = new Map(rows.map(({ label, records }) => [label, records]));
  return owners.flatMap((owner) => {
    const difference = differenceOf(stored.get(owner.label) ?? [], owner.records);
    return difference.removed.length + difference.added.length > 0 ? [{ ...owner, ...difference }] : [];
  });
}

export type WrittenZone = {
  /** The new serial; undefined if what is published stays as it is. */
  readonly serial: number | undefined;
  readonly marks: number;
  readonly owners: number;
  /** Why nothing was even tried: another writer has the zone, or it is frozen. */
  readonly prevented?: 'locked' | 'frozen';
};

export const notWritten = (prevented: 'locked' | 'frozen'): WrittenZone => ({
  serial: undefined,
  marks: 0,
  owners: 0,
  prevented,
});

/** What a writer finds when it has the zone to itself. */
export type LockedZone = {
  /** Undefined before the first publication. */
  readonly serial: number | undefined;
  readonly isFrozen: boolean;
};

/** One writer per zone, to the end of the transaction; undefined if there is another. */
export async function lockZone(db: Sql, zone: string): Promise<LockedZone | undefined> {
  const { locked } = await db.one(sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('zone ' || ${zone}, 0)) as locked`);
  if (!locked) return undefined;
  // Locked too: who freezes the zone waits for this writer, and no serial appears afterwards.
  const row = await db.maybe(sql<{ serial: number; frozenSince: Date | null }>`
    select serial, frozen_since as "frozenSince" from zones where zone = ${zone} for update`);
  return { serial: row?.serial, isFrozen: row !== undefined && row.frozenSince !== null };
}

/** One new serial of a zone with everything that changes by it; there is none before the first change. */
export class Publication {
  readonly #zone: Zone;
  readonly #previous: number | undefined;
  readonly #now: Date;
  #opened: { readonly id: number; readonly serial: number } | undefined;
  #owners = 0;

  /** `now` is the wall clock, whatever clock the registry has. */
  constructor(zone: Zone, previous: number | undefined, now: Date) {
    this.#zone = zone;
    this.#previous = previous;
    this.#now = now;
  }

  get serial(): number | undefined {
    return this.#opened?.serial;
  }

  /** The number of owners that changed. */
  get owners(): number {
    return this.#owners;
  }

  /**
   * An owner changes once in a serial. One that comes again was changed by somebody else while a rebuild read the domains,
   * and has a mark of its own: it is left to the next serial.
   */
  async write(db: Sql, changes: readonly OwnerChange[]): Promise<void> {
    if (changes.length === 0) return;
    const { id } = await this.open(db);
    // Before the first publication no secondary has anything that a change could be told to.
    const isRecorded = this.#previous !== undefined;
    // Counted for each owner: an anti-join might read everything that the serial has changed so far, for every page.
    const { owners } = await db.one(sql<{ owners: number }>`
      with wanted as materialized (
        select * from jsonb_to_recordset(${json(isRecorded ? changes : changes.map(withoutDifference))}) as w(label text, domain text, records jsonb, removed jsonb, added jsonb)
        where (select count(*) from zone_changes c where c.serial_id = ${id}::bigint and c.label = w.label) = 0),
      recorded as (
        insert into zone_changes (serial_id, label, removed, added)
        select ${id}::bigint, label, removed, added from wanted where ${isRecorded}::boolean),
      removed as (
        delete from zone_records r using wanted w where r.zone = ${this.#zone.origin} and r.label = w.label and w.records = '[]'),
      published as (
        insert into zone_records (zone, label, domain, records)
        select ${this.#zone.origin}, label, domain, records from wanted where records <> '[]'
        on conflict (zone, label) do update set domain = excluded.domain, records = excluded.records)
      select count(*)::int as owners from wanted`);
    this.#owners += owners;
  }

  /** Begins the new serial, even if nothing but the start of authority changes. */
  async open(db: Sql): Promise<{ readonly id: number; readonly serial: number }> {
    if (this.#opened) return this.#opened;
    const serial =
      this.#previous === undefined ? serialOfTime(this.#now) : nextSerial(this.#previous, this.#now);
    if (serial === serialOfTime(this.#now)) await requireDatabaseDate(db, this.#zone.origin, serial);
    const { id } = await db.one(sql<{ id: number }>`
      with zone as (
        insert into zones (zone, serial, published_at) values (${this.#zone.origin}, ${serial}::bigint, ${this.#now})
        on conflict (zone) do update set serial = excluded.serial, published_at = excluded.published_at returning zone)
      insert into zone_serials (zone, serial, soa, published_at, previous_id)
      select zone, ${serial}::bigint, ${json(soaRecord(this.#zone, serial))}, ${this.#now},
        (select max(s.id) from zone_serials s where s.zone = ${this.#zone.origin})
      from zone returning id`);
    this.#opened = { id, serial };
    return this.#opened;
  }
}

/** A serial that was published cannot be taken back: one of a wrong clock is refused. */
async function requireDatabaseDate(db: Sql, zone: string, serial: number): Promise<void> {
  const { at } = await db.one(sql<{ at: Date }>`select clock_timestamp() as at`);
  const ahead = aheadOfDate(serial, at);
  if (ahead !== undefined)
    throw new Error(
      `Serial ${serial} of ${zone} is ${Math.round(ahead / 86_400)} days ahead of the database's date, ${at.toISOString()}: it is not published`,
    );
}

const withoutDifference = ({ label, domain, records }: Owner): Owner => ({ label, domain, records });
