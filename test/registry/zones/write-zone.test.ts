import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { ee } from '../../../src/policy/ee.ts';
import { freezeZone } from '../../../src/registry/zones/freeze-zone.ts';
import { rebuildByOperator } from '../../../src/registry/zones/rebuild-by-operator.ts';
import { checkProjection, rebuildZone } from '../../../src/registry/zones/rebuild-zone.ts';
import { setDelegationSigners } from '../../../src/registry/zones/set-delegation-signers.ts';
import { thawZone } from '../../../src/registry/zones/thaw-zone.ts';
import { writeZone, zonePublisher } from '../../../src/registry/zones/write-zone.ts';
import { readChanges } from '../../../src/registry/zones/zone-history.ts';
import { lockZone } from '../../../src/registry/zones/publish-changes.ts';
import type { DsData } from '../../../src/registry/zones/zone-record.ts';
import { readSerial, streamZone } from '../../../src/registry/zones/zone-store.ts';
import { operator } from '../../support/operator.ts';
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
/** The marks made by an action; deletes them. */
const marksOf = async (act: () => Promise<void>) => {
  await publish(database.writes, 'ee');
  await act();
  return new Set(await marks());
};

describe('marks', () => {
  test('success: every change of published data marks its domain, and nothing else does', async () => {
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
    const exchange = (gone: string, next: string) => () => tables.exchangeHost(name, gone, next);
    expect(await marksOf(exchange('ns3.example.net', 'ns4.example.net'))).toEqual(marked);
    expect(await marksOf(exchange('ns4.example.net', 'ns4.example.net'))).toEqual(new Set());
    expect(await marksOf(exchange('ns1.example.net', 'ns3.example.net'))).toEqual(marked);
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
      serial: undefined,
      marks: 0,
      owners: 0,
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
    expect(await rebuildZone(database.writes, zone, ee, new Date())).toMatchObject({
      owners: 0,
      prevented: 'frozen',
    });
    expect(await marks()).toEqual(['frozen.ee']);
    await database.writes.run(
      sql`update zones set frozen_since = null, frozen_reason = null where zone = 'ee'`,
    );
    expect((await writeZone(database.writes, zone, ee, new Date())).owners).toBe(1);
  });

  const changed = {
    ...zone,
    soa: { ...zone.soa, refresh: 7_200 },
    nameservers: [{ hostname: 'ns3.registry.example' }],
  };

  test('success: another policy is published without any mark', async () => {
    const policy = { ...ee, zones: ee.zones.map((one) => (one.origin === 'ee' ? changed : one)) };
    expect(await writeZone(database.writes, changed, policy, new Date())).toMatchObject({ owners: 1 });
    expect((await writeZone(database.writes, changed, policy, new Date())).serial).toBeUndefined();
    const [apex] = await linesOf(database.writes, 'ee');
    expect(apex).toBe('ee. 86400 IN NS ns3.registry.example.');
    await publish(database.writes, 'ee');
    expect((await writeZone(database.writes, zone, ee, new Date())).serial).toBeUndefined();
  });

  test('success: the first run of the job compares with the policy, and later ones after a while', async () => {
    let at = Date.now();
    const runJob = zonePublisher(database.writes, { ...ee, zones: [changed] }, () => new Date(at));
    const isPublished = async () => (await linesOf(database.writes, 'ee'))[0]?.includes('ns3.') ?? false;
    await runJob();
    expect(await isPublished()).toBe(true);
    await publish(database.writes, 'ee');
    await runJob();
    expect(await isPublished()).toBe(false);
    at += 20_000;
    await runJob();
    expect(await isPublished()).toBe(true);
    await publish(database.writes, 'ee');
  });

  test("success: integration-05: addresses that a domain has for another domain's hosts are never published", async () => {
    const addresses = async () =>
      (await linesOf(database.writes, 'ee')).filter((line) => /^\S*glue-\S+ \d+ IN A{1,4} /.test(line));
    const publishAll = () => publish(database.writes, 'ee');
    await tables.create('glue-owner.ee', ['ns.glue-owner.ee']);
    await tables.setAddress('glue-owner.ee', '192.0.2.7');
    // As if no rule of an interface had refused the addresses.
    await tables.create('glue-guest.ee', ['ns.glue-owner.ee', 'ns.glue-unknown.ee', 'glue-owner.ee']);
    await tables.setAddress('glue-guest.ee', '2001:db8::66');
    await publishAll();
    const own = ['ns.glue-owner.ee. 3600 IN A 192.0.2.7'];
    expect(await addresses()).toEqual(own);
    const serial = await readSerial(database.reads, 'ee');
    await tables.setAddress('glue-guest.ee', '192.0.2.66');
    await publishAll();
    expect([await addresses(), await readSerial(database.reads, 'ee')]).toEqual([own, serial]);
    // A host that its own domain no longer publishes has no address, even if others use it.
    await tables.setStatuses('glue-owner.ee', { serverHold: '' });
    await publishAll();
    expect(await addresses()).toEqual([]);
    expect((await linesOf(database.writes, 'ee')).join('\n')).toContain(
      'glue-guest.ee. 3600 IN NS ns.glue-owner.ee.',
    );
  });

  test('success: concurrent changes with competing writers: the zone equals its domains', async () => {
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

  test('success: a check ignores pending delegation signers, and nothing else of the policy', async () => {
    const sign = (signers: readonly DsData[]) =>
      carryOut(database.writes, setDelegationSigners, { zone: 'com.ee', signers }, operator());
    const ds = { keyTag: 4711, algorithm: 13, digestType: 2, digest: '0A'.repeat(32) };
    await sign([ds]);
    expect(await checkProjection(database.writes, zone, ee)).toMatchObject({ count: 0, waiting: 1 });
    await database.writes.run(
      sql`update zone_records set records = '[]' where zone = 'ee' and label = 'pri'`,
    );
    const { differences } = await checkProjection(database.writes, zone, ee);
    expect(differences.map(({ label }) => label)).toEqual(['pri']);
    await sign([]);
    await publish(database.writes, 'ee');
    expect(await checkProjection(database.writes, zone, ee)).toMatchObject({ count: 0, waiting: 0 });
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

describe('a rebuild by an operator', () => {
  const rebuild = (db: Pool, timeoutMs: number) =>
    carryOut(db, rebuildByOperator, { zone: 'ee', publishedAt: new Date(), timeoutMs }, operator());

  test('success: it waits for the writer of the zone, and times out', async () => {
    await tables.create('waiting.ee', ['ns1.example.net']);
    await publish(database.writes, 'ee');
    await database.writes.run(sql`delete from zone_records where label = 'waiting'`);
    const other = (databases[1] ?? database).writes;
    const { waiting } = await database.writes.begin(async (db) => {
      await lockZone(db, 'ee');
      const waiting = rebuild(other, 20_000);
      await expect(rebuild(other, 150)).rejects.toThrow('ee was not rebuilt: its writer has been at work');
      return { waiting };
    });
    expect(await waiting).toMatchObject({ owners: 1 });
  });

  test('failure: a zone that was frozen after the command began', async () => {
    await carryOut(database.writes, freezeZone, { zone: 'ee' }, operator());
    await expect(rebuild(database.writes, 150)).rejects.toThrow('ee is frozen since');
    await carryOut(database.writes, thawZone, { zone: 'ee' }, operator());
  });
});

describe('reading a zone', () => {
  test('success: from one snapshot, the SOA first, whatever is written meanwhile', async () => {
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
    const stepsSince = async () => {
      let steps = 0;
      for await (const _ of (await readChanges(database.reads, 'ee', serial))?.steps ?? []) steps += 1;
      return steps;
    };
    expect(await stepsSince()).toBe(0);
    expect(await readChanges(database.reads, 'ee', 5)).toBeUndefined();
    await tables.create('many-1.ee', ['ns1.example.net']);
    await tables.create('many-2.ee', ['ns1.example.net']);
    await publish(database.writes, 'ee');
    expect(await stepsSince()).toBe(1);
    expect(await readChanges(database.reads, 'ee', serial, 1)).toBeUndefined();
  });
});
