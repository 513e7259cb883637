import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { recordCallback } from '../../../src/billing/payments/record-callback.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, type Owner, openDatabase } from '../../../src/platform/database/database.ts';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';

let owner: Owner;
let product: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await createTestDatabase();
  const address = { ...inject('server'), database: created.name };
  owner = await connectAsOwner(address);
  product = openDatabase(address, readConfig('sandbox', {}), ee.timeZone);
  drop = created.drop;
});
afterAll(async () => {
  await product.close();
  await owner.close();
  await drop();
});

const NOW = new Date('2026-11-15T12:00:00Z');
const formed = (name: string): string => Buffer.from(name).toString('hex').padEnd(64, '0');
const call = (reference: string | undefined, caller = '192.0.2.1') =>
  recordCallback(product.writes, { reference, eventName: 'status_updated', caller }, NOW);
const payments = (prefix: string) =>
  owner.rows(sql<{ reference: string; lane: number | null; rank: number | null }>`
    select reference, lane, rank from payments where starts_with(reference, ${prefix}) order by rank, reference`);
const countEvents = async (reference: string | null, db: Sql = owner) => {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) as count from payment_events where payment_reference is not distinct from ${reference}::text`);
  return count;
};
const addKnown = (reference: string) =>
  owner.run(sql`insert into payments (reference, created_at) values (${reference}, ${NOW})`);

test('success: simultaneous callbacks are each recorded once, also two of one payment', async () => {
  await addKnown('known');
  const calls = await Promise.all([
    call('known'),
    call('new'),
    call('known'),
    call('new'),
    call('other'),
    call(undefined),
  ]);
  expect(calls).toEqual([true, false, true, false, false, false]);
  expect(await countEvents('known')).toBe(2);
  expect(await countEvents('new')).toBe(2);
  expect(await countEvents('other')).toBe(1);
  expect(await countEvents(null)).toBe(1);
});

test('success: unknown payments of one caller rank one behind the other, also within a statement', async () => {
  const references = Array.from({ length: 20 }, (_, number) => formed(`r${String(number).padStart(2, '0')}`));
  await Promise.all(references.map((reference) => call(reference, '192.0.2.9')));
  const queued = await payments(Buffer.from('r').toString('hex'));
  expect(queued.map(({ rank }) => rank)).toEqual(Array.from({ length: 20 }, (_, rank) => Math.min(rank, 16)));
  expect(new Set(queued.map(({ lane }) => lane))).toEqual(new Set([1]));
});

test('success: a payment that is locked delays its own callback only', async () => {
  await addKnown('locked');
  await addKnown('free');
  let locked: Promise<boolean> | undefined;
  await owner.begin(async (holder) => {
    await holder.run(sql`select from payments where reference = 'locked' for update`);
    locked = call('locked');
    expect(await Promise.all([call('free'), call('absent')])).toEqual([true, false]);
    expect(await countEvents('locked', holder)).toBe(0);
  });
  expect(await locked).toBe(true);
  expect(await countEvents('locked')).toBe(1);
});
