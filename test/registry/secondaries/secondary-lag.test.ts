import { afterAll, beforeAll, expect, test } from 'vitest';
import { secondariesCheck } from '../../../src/doctor/check-dns-secondaries.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { addSecondary } from '../../../src/registry/secondaries/add-secondary.ts';
import {
  recordSecondaryQuery,
  recordSecondarySerial,
} from '../../../src/registry/secondaries/list-secondaries.ts';
import { secondaryMetrics } from '../../../src/registry/secondaries/secondary-lag.ts';
import { readSerial } from '../../../src/registry/zones/zone-store.ts';
import { type DroppableDatabase, openProductionDatabase } from '../../support/cadastre.ts';
import { operator } from '../../support/operator.ts';
import { sql } from '../../support/sql.ts';
import { DomainTables, publish } from '../../support/zones.ts';

/** As its owner, who may change when something was published. */
let database: DroppableDatabase;
let db: Pool;
beforeAll(async () => {
  database = await openProductionDatabase();
  db = database.sql;
  await db.run(
    sql`insert into registrars (code, name, website, created_at) values ('LAG', 'Lag', 'https://lag.example', now())`,
  );
});
afterAll(() => database.drop());

let serials = 0;
/** One more serial. */
async function publishChange(): Promise<number> {
  await new DomainTables(db).create(`lag${serials++}.ee`, ['ns1.example.net']);
  await publish(db, 'ee');
  return (await readSerial(db, 'ee')) ?? 0;
}
const has = (serial: number) =>
  recordSecondarySerial(db, { secondary: 'signer', zone: 'ee', serial, at: new Date() });
const advanceTime = (interval: string) =>
  db.script(`
    update zones set published_at = published_at - interval '${interval}';
    update zone_serials set published_at = published_at - interval '${interval}';
    update dns_secondaries set created_at = created_at - interval '${interval}'`);
const examine = () =>
  secondariesCheck.examine({
    sql: db,
    now: new Date(),
    config: readConfig('production'),
    findAuthorityKey: async () => undefined,
  });
const findings = async () => (await examine()).map(({ state, says }) => `${state} ${says}`);
/** Of the zone ee, without the names' common parts. */
async function metrics(): Promise<Record<string, number | null>> {
  const read = secondaryMetrics.map(async ({ name, query }) => {
    const rows = await db.rows(
      sql<{ value: string | null }>`select value::float8 as value from (${query}) as m where zone = 'ee'`,
    );
    const [value = null] = rows.map((row) => row.value);
    return [name.replace('cadastre_dns_secondary_', ''), value === null ? null : Number(value)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
const EVERYTHING = 'ok every secondary has what is published';

test('success: the lag of a secondary in time and serials, also under continuous publication', async () => {
  await publish(db, 'ee');
  expect(await findings()).toEqual([]);
  const order = { name: 'signer', address: '192.0.2.53', port: 53 };
  await carryOut(db, addSecondary, order, operator());
  expect(await findings()).toEqual([
    'ok not transferred yet by signer; no secondary has been behind for 10 minutes',
  ]);
  await advanceTime('11 minutes');
  expect(await findings()).toEqual(['warning The secondary signer has never transferred ee.']);
  expect(await metrics()).toMatchObject({ serial: null, seen_timestamp_seconds: null, serials_behind: 1 });

  const first = await publishChange();
  await has(first);
  expect(await findings()).toEqual([EVERYTHING]);
  expect(await metrics()).toEqual({
    serial: first,
    seen_timestamp_seconds: expect.closeTo(Date.now() / 1000, -2),
    serials_behind: 0,
    oldest_missing_timestamp_seconds: null,
  });
  const missing = await publishChange();
  await advanceTime('11 minutes');
  const newest = await publishChange();
  expect(newest).toBeGreaterThan(missing);
  expect(await findings()).toEqual([
    `warning The secondary signer has serial ${first} of ee, and ${newest} is published, 2 serials later.`,
  ]);
  const lag = await metrics();
  expect(lag).toMatchObject({ serial: first, serials_behind: 2 });
  expect(Date.now() / 1000 - (lag.oldest_missing_timestamp_seconds ?? 0)).toBeGreaterThan(600);
});

test('success: a serial that was deleted, and one that is later than ours', async () => {
  const kept = await db.rows(sql`select from zone_serials where zone = 'ee'`);
  await has(5);
  const serial = await readSerial(db, 'ee');
  expect(await findings()).toEqual([
    `warning The secondary signer has serial 5 of ee, and ${serial} is published, ${kept.length} serials later.`,
  ]);
  await has((serial ?? 0) + 1_000);
  const [ahead] = await examine();
  expect(ahead).toMatchObject({
    says: `The secondary signer has serial ${(serial ?? 0) + 1_000} of ee, which is later than ${serial}, and takes nothing that is published.`,
    todo: `Publish a later one: cadastre zone raise ee --above ${(serial ?? 0) + 1_000}`,
  });
});

test('success: a secondary that queries without transferring lags only behind later publications', async () => {
  const order = { name: 'asking', address: '192.0.2.54', port: 53 };
  await carryOut(db, addSecondary, order, operator());
  await advanceTime('11 minutes');
  const ofAsking = async () => (await findings()).filter((finding) => finding.includes('asking'));
  expect(await ofAsking()).toEqual(['warning The secondary asking has never transferred ee.']);
  const ask = () => recordSecondaryQuery(db, { secondary: 'asking', zone: 'ee', at: new Date() });
  await ask();
  expect(await ofAsking()).toEqual([]);
  await db.script(`update dns_secondary_serials set at = at - interval '11 minutes' where serial is null`);
  const asks = 'warning The secondary asking asks for the serial of ee and has';
  expect(await ofAsking()).toEqual([
    `${asks} not transferred it: it has the zone already, or cannot transfer it.`,
  ]);
  await publishChange();
  await ask();
  expect(await ofAsking()).toEqual([]);
  await db.script(`update zone_serials set published_at = published_at - interval '10 minutes 30 seconds'`);
  expect(await ofAsking()).toEqual([`${asks} transferred none of 1 that were published since.`]);
  const serial = (await readSerial(db, 'ee')) ?? 0;
  await recordSecondarySerial(db, { secondary: 'asking', zone: 'ee', serial, at: new Date() });
  await ask();
  expect(await ofAsking()).toEqual([]);
});
