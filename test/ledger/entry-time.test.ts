import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { makeStatements } from '../../src/billing/statements/make-statements.ts';
import { findStatement } from '../../src/billing/statements/find-statements.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { moveRegistrarMoney } from '../../src/ledger/credit-registrar.ts';
import { postCorrection } from '../../src/ledger/post-correction.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import { alpha } from '../support/client.ts';
import { Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const now = new Date();
const after = (ms: number) => new Date(now.getTime() + ms);
const AHEAD = after(420 * DAY_MS);

let registry: TestRegistry;
let database: Database;
let registrarId = 0;
beforeAll(async () => {
  registry = await startRegistry();
  const target = { ...inject('server'), database: registry.databaseName };
  database = openDatabase(target, readConfig('sandbox', {}), ee.timeZone);
  const { id } = await registry.sql.one(sql<{ id: number }>`select id from registrars where code = 'ALPHA'`);
  registrarId = id;
});
afterAll(async () => {
  await database.close();
  await registry.stop();
});

const correct = (amount: bigint, at: Date) =>
  postCorrection(registry.sql, { registrar: 'ALPHA', amount, reason: 'a test', actor: 'test', at });
const move = (amount: bigint, at: Date) =>
  moveRegistrarMoney(registry.sql, {
    registrarId,
    amount,
    at,
    by: 'corrections',
    operation: 'correction',
    description: 'a test',
    actor: 'test',
  });
const lastTime = async () => {
  const { at } = await registry.sql.one(sql<{ at: Date }>`
    select at from ledger_entries where registrar_id = ${registrarId} order by id desc limit 1`);
  return at;
};

describe('the time of an entry', () => {
  test.each([
    ['a credit', 100n, correct],
    ['a correction against the registrar', -100n, correct],
    ['a reversal', -100n, move],
  ] as const)('success: %s follows a last entry that is a little ahead', async (_what, amount, book) => {
    await correct(100n, after(10 * MINUTE_MS));
    await book(amount, now);
    expect(await lastTime()).toEqual(after(10 * MINUTE_MS));
  });

  test.each([
    ['a credit', 100n, correct],
    ['a correction against the registrar', -100n, correct],
    ['a reversal', -100n, move],
    ['a reversal beyond the balance', -1_000_000_000n, move],
    ['a credit that repays a debt', 1_000_000_000n, move],
  ] as const)(
    'success: %s does not follow one that a wrong clock has written',
    async (_what, amount, book) => {
      await correct(100n, AHEAD);
      expect(await lastTime()).toEqual(AHEAD);
      await book(amount, now);
      expect(await lastTime()).toEqual(now);
    },
  );

  test('success: nor does the charge of a registration', async () => {
    await correct(100n, AHEAD);
    await (await Registrant.of(alpha(registry.url))).register();
    expect((await lastTime()).getTime()).toBeLessThan(after(DAY_MS).getTime());
  });
});

test('success: ledger and statements agree with entries that a wrong clock has dated ahead', async () => {
  expect(await checkLedger(registry.sql)).toEqual([]);
  const { balance } = await registry.sql.one(sql<{ balance: string }>`
    select balance::text as balance from ledger_accounts where registrar_id = ${registrarId} and kind = 'registrar'`);
  await makeStatements(database, ee, after(500 * DAY_MS));
  const monthOf = (time: Date) =>
    new Intl.DateTimeFormat('sv', { timeZone: ee.timeZone, year: 'numeric', month: '2-digit' }).format(time);
  const [present, ahead] = await Promise.all(
    [await lastTime(), AHEAD].map((time) => findStatement(registry.sql, 'ALPHA', monthOf(time))),
  );
  expect(present).toMatchObject({ closing: BigInt(balance), closingDebt: 0n });
  expect(present?.debtGrown).toBe(present?.debtRepaid);
  expect(present?.debtGrown).toBeGreaterThan(0n);
  expect(ahead).toMatchObject({ opening: BigInt(balance), closing: BigInt(balance), lines: [] });
});
