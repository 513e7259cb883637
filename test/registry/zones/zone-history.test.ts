import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import { ee } from '../../../src/policy/ee.ts';
import { readChanges, type ZoneHistory, type ZoneStep } from '../../../src/registry/zones/zone-history.ts';
import { Publication } from '../../../src/registry/zones/publish-changes.ts';
import type { ZoneRecord } from '../../../src/registry/zones/zone-record.ts';
import { readSerial } from '../../../src/registry/zones/zone-store.ts';
import { serialPurge } from '../../../src/registry/zones/zone-work.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { linesOf, publish, Replay, zoneOf } from '../../support/zones.ts';

/** The page size of zone-history.ts. */
const PAGE_OWNERS = 500;
const MONTH_MS = 31 * 86_400_000;
const zone = zoneOf('ee');
let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openTestDatabase();
  close = opened.close;
  database = opened.databases[0] as Database;
  await publish(database.writes, 'ee');
});
afterAll(() => close());

const ns = (label: string, host: string): ZoneRecord => ({
  name: `${label}.ee`,
  type: 'NS',
  ttl: 3_600,
  data: `${host}.example.net`,
});
const labelsOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** One serial in which owners change from one host to another; undefined is none. */
const change = (labels: readonly string[], from: string | undefined, to: string | undefined) =>
  database.writes.begin(async (db) => {
    const publication = new Publication(zone, await readSerial(db, 'ee'), new Date());
    await publication.open(db);
    const changes = labels.map((label) => ({
      label,
      domain: `${label}.ee`,
      records: to === undefined ? [] : [ns(label, to)],
      removed: from === undefined ? [] : [ns(label, from)],
      added: to === undefined ? [] : [ns(label, to)],
    }));
    await publication.write(db, changes);
  });

const historySince = async (serial: number): Promise<ZoneHistory> => {
  const history = await readChanges(database.reads, 'ee', serial);
  if (!history) throw new Error(`the changes since ${serial} are unknown`);
  return history;
};

test('success: steps of every size are read in pages, and lead to the zone', async () => {
  const follower = await Replay.of(database.writes, 'ee');
  const { serial } = follower;
  const many = labelsOf('many', 3 * PAGE_OWNERS + 7);
  const page = labelsOf('page', PAGE_OWNERS);
  await change(['one'], undefined, 'a');
  await change([], undefined, 'a');
  await change(page, undefined, 'a');
  await change(many, undefined, 'a');
  await change(many, 'a', 'b');
  for (const label of page.slice(0, 20)) await change([label], 'a', undefined);
  await change(page.slice(20), 'a', undefined);
  const sizes: number[] = [];
  for await (const { removed, added } of (await historySince(serial)).steps)
    for (const pages of [removed, added]) for await (const records of pages) sizes.push(records.length);
  expect(Math.max(...sizes)).toBe(PAGE_OWNERS);
  await follower.follow(database.reads, 'ee');
  expect(follower.lines).toEqual((await linesOf(database.writes, 'ee')).toSorted());
});

test('failure: a serial is missing, or is not later than the one before it', async () => {
  const serial = (await readSerial(database.reads, 'ee')) ?? 0;
  for (const label of ['chain-1', 'chain-2', 'chain-3']) await change([label], undefined, 'a');
  const newest = (await readSerial(database.reads, 'ee')) ?? 0;
  const isKnown = async (statement: ReturnType<typeof sql>) => {
    const damaged = database.writes.begin(async (db) => {
      expect(await db.run(statement)).toBe(1);
      const history = await readChanges(db, 'ee', serial);
      throw new Error(history ? 'known' : 'unknown');
    });
    return damaged.catch(String);
  };
  const next = (raise: number) => sql`
    insert into zone_serials (zone, serial, soa, published_at, previous_id)
    select zone, serial + ${raise}::int, soa, published_at, id from zone_serials where zone = 'ee' order by id desc limit 1`;
  expect(await isKnown(next(1))).toContain(': known');
  expect(await isKnown(next(0))).toContain(': unknown');
  expect(await isKnown(next(-1))).toContain(': unknown');
  expect(await isKnown(sql`delete from zone_serials where zone = 'ee' and serial = ${newest - 1}`)).toContain(
    ': unknown',
  );
});

test('failure: the requested serial is deleted while steps are read', async () => {
  const labels = labelsOf('gone', PAGE_OWNERS + 1);
  const serial = (await readSerial(database.reads, 'ee')) ?? 0;
  await change(['gone-before'], undefined, 'a');
  await change(labels, undefined, 'a');
  await change(labels, 'a', 'b');
  await change(['gone-after'], undefined, 'a');
  const deleted = 'were deleted while they were read';
  const read = async (pages: ZoneStep['added']) => {
    let records = 0;
    for await (const page of pages) records += page.length;
    return records;
  };
  const [inStep, between] = [await historySince(serial), await historySince(serial)];
  const steps = inStep.steps[Symbol.asyncIterator]();
  await steps.next();
  const large = (await steps.next()).value as ZoneStep;
  expect(await read(large.removed)).toBe(0);
  const others = between.steps[Symbol.asyncIterator]();
  await others.next();
  // All but the newest one.
  expect(await serialPurge(ee).removeSome(database.writes, new Date(Date.now() + MONTH_MS))).toBeGreaterThan(
    3,
  );
  await expect(read(large.added)).rejects.toThrow(deleted);
  await expect(others.next()).rejects.toThrow(deleted);
  expect(await readChanges(database.reads, 'ee', serial)).toBeUndefined();
});
