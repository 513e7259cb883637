import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/platform/sql/database.ts';
import { ee } from '../../../src/policy/ee.ts';
import { checkProjection, rebuildZone } from '../../../src/registry/zones/rebuild-zone.ts';
import { writeZone } from '../../../src/registry/zones/write-zone.ts';
import { readChanges, readSerial, streamZone } from '../../../src/registry/zones/zone-store.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { randomOf, seed } from '../../support/seed.ts';
import { sql } from '../../support/sql.ts';
import { DomainTables, linesOf, publish, Replay, zoneOf } from '../../support/zones.ts';

const CHANGES = process.env.TORTURE ? 10_000 : 300;
const WRITERS = 3;
const zone = zoneOf('ee');
let databases: readonly Database[];
let close: () => Promise<void>;
let database: Database;
let tables: DomainTables;
beforeAll(async () => {
  ({ databases, close } = await openTestDatabase(WRITERS));
  database = databases[0] as Database;
  tables = new DomainTables(database.writes);
  await publish(database.writes, 'ee');
});
afterAll(() => close());

const marks = async () =>
  (
    await database.reads.rows(
      sql<{ name: string }>`select name from zone_marks where zone = 'ee' order by id`,
    )
  ).map(({ name }) => name);
/** The marks that an action makes; they are deleted. */
const marksOf = async (act: () => Promise<void>) => {
  await publish(database.writes, 'ee');
  await act();
  return new Set(await marks());
};

describe('marks', () => {
  test('success: every change of what is published marks its domain, and nothing else does', async () => {
    const [name, other] = ['marked.ee', 'other.ee'];
    const marked = new Set([name]);
    expect(await marksOf(() => tables.create(other, []))).toEqual(new Set());
    expect(await marksOf(() => tables.create(name, ['ns1.example.net', `ns.${name}`]))).toEqual(marked);
    expect(await marksOf(() => tables.renew(name))).toEqual(new Set());
    expect(await marksOf(() => tables.setAddress(name, '192.0.2.9'))).toEqual(marked);
    expect(await marksOf(() => tables.setAddress(name, '192.0.2.9'))).toEqual(new Set());
    expect(await marksOf(() => tables.replaceHosts(name, ['ns1.example.net', 'ns3.example.net']))).toEqual(
      marked,
    );
    expect(await marksOf(() => tables.setKey(name, 256))).toEqual(new Set());
    expect(await marksOf(() => tables.setKey(name, 257))).toEqual(marked);
    expect(await marksOf(() => tables.setKey(name, 256))).toEqual(marked);
    expect(await marksOf(() => tables.removeKeys(name))).toEqual(new Set());
    expect(await marksOf(() => tables.setStatuses(name, { serverTransferProhibited: '' }))).toEqual(
      new Set(),
    );
    expect(await marksOf(() => tables.setStatuses(name, { clientHold: '' }))).toEqual(marked);
    expect(await marksOf(() => tables.setStatuses(name, { serverHold: '' }))).toEqual(new Set());
    expect(await marksOf(() => tables.setStatuses(name, {}))).toEqual(marked);
    expect(await marksOf(() => tables.remove(name))).toEqual(marked);
  });
});

describe('the writer of a zone', () => {
  test('success: one serial per batch, none where nothing changes, each later than the one before', async () => {
    await publish(database.writes, 'ee');
    const before = await Replay.of(database.writes, 'ee');
    await tables.create('batch-1.ee', ['ns1.example.net']);
    await tables.create('batch-2.ee', ['ns1.example.net']);
    await tables.setStatuses('batch-2.ee', { clientHold: '' });
    const written = await writeZone(database.writes, zone, ee, new Date());
    expect(written).toMatchObject({ marks: 3, owners: 1 });
    expect(await writeZone(database.writes, zone, ee, new Date())).toEqual({
      ...{ serial: undefined, marks: 0, owners: 0 },
    });
    expect(await before.follow(database.reads, 'ee')).toBe(1);
    expect(before.serial).toBe(written.serial);
    expect(before.lines).toContain('batch-1.ee. 3600 IN NS ns1.example.net.');
    const back = new Date(Date.now() - 3_600_000);
    await tables.remove('batch-1.ee');
    expect((await writeZone(database.writes, zone, ee, back)).serial).toBe((written.serial ?? 0) + 1);
  });

  test('success: a failed writer leaves the marks, and the serial as it was', async () => {
    const serial = await readSerial(database.reads, 'ee');
    await tables.create('crash.ee', ['ns1.example.net']);
    const failing = database.writes.begin(async (db) => {
      await writeZone(db, zone, ee, new Date());
      throw new Error('killed');
    });
    await expect(failing).rejects.toThrow('killed');
    expect([await marks(), await readSerial(database.reads, 'ee')]).toEqual([['crash.ee'], serial]);
    await publish(database.writes, 'ee');
    expect(await linesOf(database.writes, 'ee')).toContain('crash.ee. 3600 IN NS ns1.example.net.');
  });

  test('success: a frozen zone keeps its marks', async () => {
    await database.writes.run(
      sql`update zones set frozen_since = now(), frozen_reason = 'test' where zone = 'ee'`,
    );
    await tables.create('frozen.ee', ['ns1.example.net']);
    expect((await writeZone(database.writes, zone, ee, new Date())).marks).toBe(0);
    expect((await rebuildZone(database.writes, zone, ee, new Date())).owners).toBe(0);
    expect(await marks()).toEqual(['frozen.ee']);
    await database.writes.run(
      sql`update zones set frozen_since = null, frozen_reason = null where zone = 'ee'`,
    );
    expect((await writeZone(database.writes, zone, ee, new Date())).owners).toBe(1);
  });

  test('success: another policy is published without any mark', async () => {
    const changed = {
      ...zone,
      soa: { ...zone.soa, refresh: 7_200 },
      nameservers: [{ hostname: 'ns3.registry.example' }],
    };
    const policy = { ...ee, zones: ee.zones.map((one) => (one.origin === 'ee' ? changed : one)) };
    expect(await writeZone(database.writes, changed, policy, new Date())).toMatchObject({ owners: 1 });
    expect((await writeZone(database.writes, changed, policy, new Date())).serial).toBeUndefined();
    const [apex] = await linesOf(database.writes, 'ee');
    expect(apex).toBe('ee. 86400 IN NS ns3.registry.example.');
    await publish(database.writes, 'ee');
    expect((await writeZone(database.writes, zone, ee, new Date())).serial).toBeUndefined();
  });

  test('success: changes by many while several writers compete: the zone is that of its domains', async () => {
    const follower = await Replay.of(database.writes, 'ee');
    const names = Array.from({ length: 25 }, (_, index) => `${index % 5 === 0 ? 'õ' : 'n'}${index}.ee`);
    let isDone = false;
    const changers = databases.map(async ({ writes }, index) => {
      const random = randomOf(seed + index);
      const own = new DomainTables(writes);
      for (let made = 0; made < CHANGES / WRITERS; made++) await own.change(names, random);
    });
    const writers = databases.map(async ({ writes }) => {
      while (!isDone) await writeZone(writes, zone, ee, new Date());
    });
    await Promise.all(changers).finally(() => {
      isDone = true;
    });
    await Promise.all(writers);
    await publish(database.writes, 'ee');
    expect(await checkProjection(database.writes, zone, ee)).toMatchObject({ count: 0, waiting: 0 });
    expect(await follower.follow(database.reads, 'ee')).toBeGreaterThan(3);
    expect(follower.lines).toEqual((await linesOf(database.writes, 'ee')).toSorted());
    expect((await rebuildZone(database.writes, zone, ee, new Date())).serial).toBeUndefined();
  });

  test('success: a damaged projection is found and rebuilt', async () => {
    await tables.create('damaged.ee', ['ns1.example.net']);
    await tables.create('lost.ee', ['ns1.example.net']);
    await publish(database.writes, 'ee');
    await database.writes.run(sql`delete from zone_records where label = 'lost'`);
    await database.writes.run(sql`update zone_records set records = '[]' where label = 'damaged'`);
    await database.writes.run(
      sql`insert into zone_records select zone, 'ghost', 'ghost.ee', records from zone_records where label = 'crash'`,
    );
    const found = await checkProjection(database.writes, zone, ee);
    expect(found.differences.map(({ domain }) => domain)).toEqual(['damaged.ee', 'lost.ee', 'ghost.ee']);
    expect(await rebuildZone(database.writes, zone, ee, new Date())).toMatchObject({ owners: 3 });
    expect((await checkProjection(database.writes, zone, ee)).count).toBe(0);
  });
});

describe('reading a zone', () => {
  test('success: from one snapshot, the start of authority first, whatever is written meanwhile', async () => {
    await tables.create('snapshot.ee', ['ns1.example.net']);
    await publish(database.writes, 'ee');
    const serial = await readSerial(database.reads, 'ee');
    const pages = streamZone(database.writes, 'ee');
    expect((await pages.next()).value).toMatchObject([{ type: 'SOA', data: { serial } }]);
    await tables.remove('snapshot.ee');
    await publish(database.writes, 'ee');
    expect((await pages.next()).value).toContainEqual(expect.objectContaining({ name: 'snapshot.ee' }));
    await pages.return(undefined);
  });

  test('failure: changes since an unknown serial, or too many', async () => {
    const serial = (await readSerial(database.reads, 'ee')) ?? 0;
    expect(await readChanges(database.reads, 'ee', serial)).toMatchObject({ steps: [] });
    expect(await readChanges(database.reads, 'ee', 5)).toBeUndefined();
    await tables.create('many-1.ee', ['ns1.example.net']);
    await tables.create('many-2.ee', ['ns1.example.net']);
    await publish(database.writes, 'ee');
    expect((await readChanges(database.reads, 'ee', serial))?.steps).toHaveLength(1);
    expect(await readChanges(database.reads, 'ee', serial, 1)).toBeUndefined();
  });
});
