import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy, Zone } from '../../policy/policy.ts';
import { rebuildZone } from './rebuild-zone.ts';
import { soaRecord } from './records.ts';
import { ownersOf, ownersOfPolicy } from './zone-owners.ts';
import { findChanges, lockZone, notWritten, Publication, type WrittenZone } from './publish-changes.ts';
import { zoneFileLine } from './zone-record.ts';
import { readSerial, readSoa } from './zone-store.ts';
import { hasZoneWork } from './zone-work.ts';

/** Marks per serial. More would make the transaction long, fewer would make serials of a bulk change many. */
const MAX_MARKS = 5_000;
/** Records of so many names are compared at once, and the process answers requests in between: all took up to 90 ms. */
const NAMES_AT_ONCE = 250;

/** The time of the machine, which serials follow: secondaries do not know that of a sandbox. */
type ReadTime = () => Date | Promise<Date>;

/** Shorter than the interval of an idle job, each of whose runs compares. */
const POLICY_INTERVAL_MS = 20_000;

/**
 * The job of one process. Its first run compares the zones with the policy, since that changes with the program; runs in
 * quick succession do not, since that takes ten statements per zone.
 */
export function zonePublisher(pool: Pool, policy: Policy, now: ReadTime): () => Promise<void> {
  let nextComparison = 0;
  return async () => {
    const at = (await now()).getTime();
    const comparesPolicy = at >= nextComparison;
    await publishZones(pool, policy, now, { comparesPolicy });
    if (comparesPolicy) nextComparison = at + POLICY_INTERVAL_MS;
  };
}

/** Publishes what is marked; without marks, what the policy has changed. A zone that fails does not stop the others. */
async function publishZones(
  pool: Pool,
  policy: Policy,
  now: ReadTime,
  { comparesPolicy }: { readonly comparesPolicy: boolean },
): Promise<void> {
  const origins = policy.zones.map(({ origin }) => origin);
  const due = await pool.rows(sql<{ zone: string }>`
    select o.zone from unnest(${origins}::text[]) as o(zone) where ${hasZoneWork}`);
  const failures: unknown[] = [];
  for (const zone of policy.zones.filter(
    (one) => (due.length === 0 && comparesPolicy) || due.some((row) => row.zone === one.origin),
  ))
    try {
      while ((await writeZone(pool, zone, policy, await now())).marks === MAX_MARKS);
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

/**
 * Turns marks into a new serial. The marks are read first, then the domains as they are by then: whatever commits later
 * has a mark of its own. All in one transaction, so that a crash leaves the marks for the next writer.
 */
export async function writeZone(pool: Pool, zone: Zone, policy: Policy, now: Date): Promise<WrittenZone> {
  if ((await readSerial(pool, zone.origin)) === undefined) return rebuildZone(pool, zone, policy, now);
  return pool.begin(async (db) => {
    const locked = await lockZone(db, zone.origin);
    if (!locked || locked.isFrozen) return notWritten(locked ? 'frozen' : 'locked');
    const marks = await db.rows(sql<{ id: number; name: string }>`
      select id, name from zone_marks where zone = ${zone.origin} order by id limit ${MAX_MARKS}`);
    const publication = new Publication(zone, locked.serial, now);
    if (await hasOtherSoa(db, zone)) await publication.open(db);
    const ofPolicy = await ownersOfPolicy(db, zone, policy);
    await publication.write(db, await findChanges(db, zone.origin, ofPolicy));
    const names = [...new Set(marks.map(({ name }) => name))];
    for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
      const marked = await ownersOf(db, zone, policy, names.slice(from, from + NAMES_AT_ONCE));
      await publication.write(db, await findChanges(db, zone.origin, marked));
    }
    const ids = marks.map(({ id }) => id);
    if (ids.length > 0) await db.run(sql`delete from zone_marks where id = any(${ids}::bigint[])`);
    return { serial: publication.serial, marks: ids.length, owners: publication.owners };
  });
}

/** Whether the policy has other values than the published start of authority. */
async function hasOtherSoa(db: Sql, zone: Zone): Promise<boolean> {
  const published = await readSoa(db, zone.origin);
  return (
    published === undefined ||
    zoneFileLine(published) !== zoneFileLine(soaRecord(zone, published.data.serial))
  );
}
