import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { ee } from '../../../src/policy/ee.ts';
import { compareServed } from '../../../src/registry/zones/check-served.ts';
import { lowerSerial } from '../../../src/registry/zones/lower-serial.ts';
import { raiseSerialAbove } from '../../../src/registry/zones/raise-serial-above.ts';
import { raiseSerials } from '../../../src/registry/zones/repair-serials.ts';
import { addToSerial, isLaterSerial } from '../../../src/registry/zones/serial.ts';
import { writeZone } from '../../../src/registry/zones/write-zone.ts';
import type { ZoneRecord } from '../../../src/registry/zones/zone-record.ts';
import { readSerial, readSoa, streamZone } from '../../../src/registry/zones/zone-store.ts';
import { serialPurge } from '../../../src/registry/zones/zone-work.ts';
import { operator } from '../../support/operator.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { DomainTables, publish, Replay, zoneOf } from '../../support/zones.ts';

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openTestDatabase();
  [database] = opened.databases as [Database];
  close = opened.close;
  await publish(database.writes, 'ee');
});
afterAll(() => close());

test('success: after a recovery serials are beyond the published ones, and lagging secondaries follow', async () => {
  const old = await Replay.of(database.writes, 'ee');
  const now = new Date();
  // A day of the fastest writer: the serial is ahead of the time.
  const published = Math.floor(now.getTime() / 1000) + 5 * 86_400;
  expect(await raiseSerials(database.writes, new Date(now.getTime() - 86_400_000), now)).toBe(1);
  const raised = (await readSerial(database.reads, 'ee')) ?? 0;
  expect(isLaterSerial(raised, published)).toBe(true);
  expect((await readSoa(database.reads, 'ee'))?.data.serial).toBe(raised);
  await new DomainTables(database.writes).create('after.ee', ['ns1.example.net']);
  await publish(database.writes, 'ee');
  expect(await readSerial(database.reads, 'ee')).toBe(raised + 1);
  expect(await old.follow(database.reads, 'ee')).toBe(2);
  expect(old.lines).toContain('after.ee. 3600 IN NS ns1.example.net.');
});

test('success: one zone is raised above the serial of a server, also with wrap-around', async () => {
  const old = await Replay.of(database.writes, 'ee');
  const context = operator({ reason: { text: 'typed wrong' } });
  const raise = (above: number, zone = 'ee') =>
    carryOut(database.writes, raiseSerialAbove, { zone, above, publishedAt: new Date() }, context);
  const before = old.serial;
  const [further, furthest] = [addToSerial(before, 2 ** 31 - 2), 10];
  await expect(raise(addToSerial(before, -1 + 2 ** 32))).rejects.toThrow('is later than');
  await expect(raise(addToSerial(before, 2 ** 31 - 1))).rejects.toThrow('half of all serials away');
  await expect(raise(further, 'com.ee')).rejects.toThrow('com.ee was never published');
  expect(await raise(further)).toEqual({ zone: 'ee', before, serial: further + 1 });
  expect(await raise(furthest)).toEqual({ zone: 'ee', before: further + 1, serial: furthest + 1 });
  expect((await readSoa(database.reads, 'ee'))?.data.serial).toBe(furthest + 1);
  const lines = old.lines;
  expect(await old.follow(database.reads, 'ee')).toBe(2);
  expect([old.serial, old.lines]).toEqual([furthest + 1, lines]);
  const recorded = await database.reads.rows(
    sql<{
      reason: string;
      after: object;
    }>`select reason, after from history where operation = 'raise serial' order by id`,
  );
  expect(recorded).toEqual([
    { reason: 'typed wrong', after: { serial: further + 1 } },
    { reason: 'typed wrong', after: { serial: furthest + 1 } },
  ]);
});

test('success: changes are deleted after the retention period, and the newest serial never', async () => {
  const [newest, old] = [await Replay.of(database.writes, 'ee'), await Replay.of(database.writes, 'ee')];
  await new DomainTables(database.writes).create('later.ee', ['ns1.example.net']);
  await publish(database.writes, 'ee');
  await newest.follow(database.reads, 'ee');
  const after = new Date(Date.now() + (ee.zoneChangeDays + 1) * 86_400_000);
  expect(await serialPurge(ee).removeSome(database.writes, new Date())).toBe(0);
  expect(await serialPurge(ee).removeSome(database.writes, after)).toBeGreaterThan(1);
  expect(await serialPurge(ee).removeSome(database.writes, after)).toBe(0);
  expect(await newest.follow(database.reads, 'ee')).toBe(0);
  await expect(old.follow(database.reads, 'ee')).rejects.toThrow('are unknown');
  expect(await database.reads.rows(sql`select from zone_changes`)).toHaveLength(1);
});

test('success: a serial of a wrong clock is not deleted before those that it follows', async () => {
  const [early, late] = [await Replay.of(database.writes, 'ee'), await Replay.of(database.writes, 'ee')];
  const [now, past] = [new Date(), new Date(Date.now() - 30 * 86_400_000)];
  const publishOne = async (name: string, at: Date) => {
    await new DomainTables(database.writes).create(name, ['ns1.example.net']);
    return (await writeZone(database.writes, zoneOf('ee'), ee, at)).serial;
  };
  await publishOne('clock-1.ee', now);
  await late.follow(database.reads, 'ee');
  const wrong = await publishOne('clock-2.ee', past);
  await publishOne('clock-3.ee', now);
  expect(await serialPurge(ee).removeSome(database.writes, new Date())).toBe(0);
  expect(await early.follow(database.reads, 'ee')).toBe(3);
  // A missing one is detected: its changes would be lost.
  await database.writes.run(sql`delete from zone_serials where serial = ${wrong ?? null}`);
  await expect(late.follow(database.reads, 'ee')).rejects.toThrow('are unknown');
  expect(await early.follow(database.reads, 'ee')).toBe(0);
});

test('success: the content of a server is compared line by line', async () => {
  const pages: (readonly ZoneRecord[])[] = [];
  for await (const page of streamZone(database.writes, 'ee')) pages.push(page);
  const served = async function* (records: typeof pages) {
    yield* records;
  };
  const serial = await readSerial(database.reads, 'ee');
  expect(await compareServed(database.writes, 'ee', () => served(pages))).toEqual({
    serial,
    servedSerial: serial,
    missing: [],
    extra: [],
    isComplete: true,
  });
  const foreign = { name: 'x.ee', type: 'NS', ttl: 60, data: 'ns.x.example' } as const;
  const other = [...pages.slice(0, 1), [...(pages[1] ?? []).slice(1), foreign]];
  expect(await compareServed(database.writes, 'ee', () => served(other))).toMatchObject({
    missing: ['ee. 86400 IN NS ns1.registry.example.'],
    extra: ['x.ee. 60 IN NS ns.x.example.'],
  });
});

describe('a serial that is ahead of the date', () => {
  const context = operator({ reason: { text: 'a wrong clock' } });
  const ahead = Math.floor(Date.now() / 1000) + 420 * 86_400;
  const lower = (zone = 'ee') =>
    carryOut(database.writes, lowerSerial, { zone, publishedAt: new Date() }, context);
  const domains = () => new DomainTables(database.writes);

  test('failure: it is not published by a clock that is 420 days ahead of the database', async () => {
    await database.writes.run(sql`update zones set serial = 1_000_000_000 where zone = 'ee'`);
    await domains().create('wrong-clock.ee', ['ns1.example.net']);
    const zone = zoneOf('ee');
    const wrong = new Date(Date.now() + 420 * 86_400_000);
    await expect(writeZone(database.writes, zone, ee, wrong)).rejects.toThrow(
      /^Serial \d+ of ee is 420 days ahead of the database's date, .*: it is not published$/,
    );
    expect(await readSerial(database.reads, 'ee')).toBe(1_000_000_000);
    await publish(database.writes, 'ee');
    expect(await readSerial(database.reads, 'ee')).toBeGreaterThan(1_700_000_000);
    await expect(lower()).rejects.toThrow('is not ahead of the date');
    await expect(lower('com.ee')).rejects.toThrow('com.ee was never published');
  });

  test('success: it is led back in two steps, which a secondary follows; failure: before it has the first', async () => {
    const { writes } = database;
    const raise = { zone: 'ee', above: ahead - 1, publishedAt: new Date() };
    await carryOut(writes, raiseSerialAbove, raise, context);
    const secondary = await Replay.of(writes, 'ee');
    expect(secondary.serial).toBe(ahead);
    await writes.run(sql`
      with s as (insert into dns_secondaries (name, address, port, created_at) values ('signer', '192.0.2.1', 53, now()) returning id)
      insert into dns_secondary_serials (secondary_id, zone, serial, at) select id, 'ee', ${ahead}::bigint, now() from s`);
    const tell = (serial: number) =>
      writes.run(sql`update dns_secondary_serials set serial = ${serial}::bigint`);

    await writes.run(sql`update zones set frozen_since = now(), frozen_reason = 'test' where zone = 'ee'`);
    await expect(lower()).rejects.toThrow('ee is frozen');
    await writes.run(sql`update zones set frozen_since = null, frozen_reason = null where zone = 'ee'`);

    const middle = addToSerial(ahead, 2 ** 31 - 1);
    expect(await lower()).toEqual({ zone: 'ee', before: ahead, serial: middle, isLast: false });
    await domains().create('between.ee', ['ns1.example.net']);
    await publish(writes, 'ee');
    expect(await readSerial(writes, 'ee')).toBe(middle + 1);
    await expect(lower()).rejects.toThrow('do not have the first step yet: signer.');

    expect(await secondary.follow(database.reads, 'ee')).toBe(2);
    await tell(secondary.serial);
    expect(await lower()).toMatchObject({ before: middle + 1, isLast: true });
    expect(await secondary.follow(database.reads, 'ee')).toBe(1);
    expect(Math.abs(secondary.serial - Date.now() / 1000)).toBeLessThan(86_400);
    expect(secondary.lines).toContain('between.ee. 3600 IN NS ns1.example.net.');
    await expect(lower()).rejects.toThrow('is not ahead of the date');
  });
});
