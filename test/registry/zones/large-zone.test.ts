import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { ee } from '../../../src/policy/ee.ts';
import { compareServed } from '../../../src/registry/zones/check-served.ts';
import { checkProjection, rebuildZone } from '../../../src/registry/zones/rebuild-zone.ts';
import { writeZone } from '../../../src/registry/zones/write-zone.ts';
import type { ZoneRecord } from '../../../src/registry/zones/zone-record.ts';
import { streamZone } from '../../../src/registry/zones/zone-store.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { DomainTables, linesOf, publish, Replay, zoneOf } from '../../support/zones.ts';

/** More than two pages of a rebuild or of a transfer, one of which ends with the last domain. */
const DOMAINS = 1_500;
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

const rebuild = () => rebuildZone(database.writes, zone, ee, new Date());
const unmark = () => database.writes.run(sql`delete from zone_marks`);

test('success: a zone of several pages is built, checked, read, compared and emptied', async () => {
  await new DomainTables(database.writes).create('first.ee', []);
  await database.writes.run(sql`
    with added as (
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
      select 'page-' || n || '.ee', 'ee', d.registrar_id, d.registrant_id, 'the-transfer-code', now(), now(), now() + interval '1 year'
      from generate_series(1, ${DOMAINS}::int) as n cross join domains d where d.name = 'first.ee' returning id)
    insert into domain_nameservers (domain_id, hostname) select id, 'ns' || place || '.example.net' from added, generate_series(1, 2) as place`);
  await unmark();
  const follower = await Replay.of(database.writes, 'ee');
  expect(await checkProjection(database.writes, zone, ee)).toMatchObject({ count: DOMAINS, waiting: 0 });
  expect(await rebuild()).toMatchObject({ owners: DOMAINS });
  expect(await checkProjection(database.writes, zone, ee)).toMatchObject({ count: 0 });
  await follower.follow(database.reads, 'ee');
  const lines = await linesOf(database.writes, 'ee');
  expect(lines.filter((line) => line.startsWith('page-'))).toHaveLength(2 * DOMAINS);
  expect(follower.lines).toEqual(lines.toSorted());

  const pages: (readonly ZoneRecord[])[] = [];
  for await (const page of streamZone(database.writes, 'ee')) pages.push(page);
  const served = (all: typeof pages) => () =>
    (async function* () {
      yield* all;
    })();
  // The signer has its own order.
  const [soa = [], ...others] = pages;
  const other = served([soa, ...others.toReversed()]);
  expect(await compareServed(database.writes, 'ee', other)).toMatchObject({ missing: [], extra: [] });
  const nothing = await compareServed(database.writes, 'ee', served([soa]));
  expect(nothing).toMatchObject({ extra: [], isComplete: false });
  expect(nothing.missing.length).toBeGreaterThanOrEqual(200);

  await surviveDeletion();
  await publishChangeOfAll();
  const later = await Replay.of(database.writes, 'ee');
  await database.writes.run(sql`delete from domains where name like 'page-%'`);
  await unmark();
  expect(await checkProjection(database.writes, zone, ee)).toMatchObject({ count: DOMAINS - 1 });
  expect(await rebuild()).toMatchObject({ owners: DOMAINS - 1 });
  await later.follow(database.reads, 'ee');
  expect(later.lines.some((line) => line.startsWith('page-'))).toBe(false);
  expect(later.lines).toEqual((await linesOf(database.writes, 'ee')).toSorted());
});

/** Compared in several pieces, and one serial. */
async function publishChangeOfAll(): Promise<void> {
  const follower = await Replay.of(database.writes, 'ee');
  await database.writes.run(
    sql`update domain_nameservers set hostname = 'ns3.example.net' where hostname = 'ns2.example.net'`,
  );
  const all = { marks: DOMAINS - 1, owners: DOMAINS - 1 };
  expect(await writeZone(database.writes, zone, ee, new Date())).toMatchObject(all);
  expect(await follower.follow(database.reads, 'ee')).toBe(1);
  const lines = await linesOf(database.writes, 'ee');
  expect(lines.filter((line) => line.endsWith(' ns3.example.net.'))).toHaveLength(DOMAINS - 1);
  expect(follower.lines).toEqual(lines.toSorted());
}

const isWaitedFor = async (db: Sql): Promise<boolean> =>
  (
    await db.rows(sql`
      select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`)
  ).length > 0;

/** A domain that differs is deleted while a rebuild, which has restored its records, waits at a later page. */
async function surviveDeletion(): Promise<void> {
  const isDamaged = sql`where zone = 'ee' and label in ('page-1', ${`page-${DOMAINS}`})`;
  await database.writes.run(sql`update zone_records set records = '[]' ${isDamaged}`);
  const { rebuilt } = await database.writes.begin(async (db) => {
    await db.rows(
      sql`select from zone_records where zone = 'ee' and label = ${`page-${DOMAINS}`} for update`,
    );
    const rebuilding = rebuild();
    await expect.poll(() => isWaitedFor(db), { interval: 10 }).toBe(true);
    await database.writes.run(sql`delete from domains where name = 'page-1.ee'`);
    return { rebuilt: rebuilding };
  });
  expect(await rebuilt).toMatchObject({ owners: 2 });
  expect(await linesOf(database.writes, 'ee')).toContain('page-1.ee. 3600 IN NS ns1.example.net.');
  // Its mark stays, and the next serial removes it.
  await publish(database.writes, 'ee');
  expect((await linesOf(database.writes, 'ee')).join('\n')).not.toContain('page-1.ee. ');
  expect(await checkProjection(database.writes, zone, ee)).toMatchObject({ count: 0, waiting: 0 });
}
