import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { PaymentPoller } from '../../../src/billing/payments/payment-poller.ts';
import {
  claimDuePollLeases,
  claimPollLease,
  closePollLease,
  deleteUnknown,
  postponePoll,
  unknownQueue,
} from '../../../src/billing/payments/poll-leases.ts';
import type { PollDependencies } from '../../../src/billing/payments/poll-provider.ts';
import { recordCallback } from '../../../src/billing/payments/record-callback.ts';
import { callerPurge, claimUnknown, leaveQueue } from '../../../src/billing/payments/unknown-payments.ts';
import { wallClock } from '../../../src/platform/clock/clock.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { nextDue } from '../../../src/platform/outbox/queue.ts';
import { type Database, type Owner, openDatabase } from '../../../src/platform/database/database.ts';
import { type Statement, sql } from '../../../src/platform/sql/statement.ts';
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
beforeEach(async () => {
  await owner.run(sql`truncate payments, callback_callers, lookup_rate_limit cascade`);
});
afterAll(async () => {
  await product.close();
  await owner.close();
  await drop();
});

const START = Date.parse('2026-11-15T12:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000);
/** A reference of the provider's form, recognisable by its first letters. */
const formed = (name: string): string => Buffer.from(name).toString('hex').padEnd(64, '0');
const nameOf = (reference: string): string =>
  Buffer.from(reference, 'hex').toString().replaceAll('\0', '') || reference;
const call = (reference: string, caller: string, seconds = 0) =>
  recordCallback(product.writes, { reference, eventName: undefined, caller }, at(seconds));
const claim = (seconds: number, perSecond: number) => claimUnknown(product.writes, at(seconds), perSecond);
const claimNames = async (seconds: number, perSecond: number) =>
  (await claim(seconds, perSecond)).map(({ reference }) => nameOf(reference)).toSorted();
const prove = (caller: string, seconds = 0) =>
  owner.run(sql`insert into callback_callers (address, verified_at) values (${caller}, ${at(seconds)})`);

describe('the rate', () => {
  test('success: unused it allows the polls of one second immediately, then one after the other', async () => {
    for (let number = 0; number < 30; number++) await call(formed(`r${number}`), `192.0.2.${number}`);
    expect(await claim(0, 10)).toHaveLength(10);
    expect(await claim(0, 10)).toHaveLength(0);
    expect(await claim(0.5, 10)).toHaveLength(5);
    expect(await claim(0.55, 10)).toHaveLength(0);
    expect(await claim(20, 10)).toHaveLength(10);
    expect(await claim(20.5, 10)).toHaveLength(5);
    expect(await claim(21, 10)).toHaveLength(0);
  });

  test('success: is shared by all concurrent claims, and nothing is claimed twice', async () => {
    for (let number = 0; number < 40; number++) await call(formed(`s${number}`), `192.0.2.${number}`);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(0, 10)));
    const references = claims.flat().map(({ reference }) => reference);
    expect(references).toHaveLength(10);
    expect(new Set(references).size).toBe(10);
  });

  test('success: a claim by a clock that was ahead does not stop the others', async () => {
    for (let number = 0; number < 4; number++) await call(formed(`c${number}`), `192.0.2.${number}`);
    expect(await claim(3_600, 2)).toHaveLength(2);
    expect(await claim(1, 2)).toHaveLength(0);
    expect(await claim(2, 2)).toHaveLength(2);
  });

  test('success: without anything to poll nothing of it is used', async () => {
    expect(await claim(0, 2)).toEqual([]);
    await call(formed('one'), '192.0.2.1', 1);
    await call(formed('two'), '192.0.2.2', 1);
    expect(await claim(1, 2)).toHaveLength(2);
  });
});

describe('a flood', () => {
  test('success: a claim that is granted nothing writes nothing', async () => {
    for (let number = 0; number < 4; number++) await call(formed(`w${number}`), `192.0.2.${number}`);
    const row = () =>
      owner.one(sql`select ctid::text, xmin::text, granted, used_until from lookup_rate_limit`);
    expect(await claim(0, 2)).toHaveLength(2);
    const before = await row();
    expect(await claim(0.1, 2)).toHaveLength(0);
    expect(await row()).toEqual(before);
  });

  test('success: no more callbacks lead to a claim than the rate allows polls', async () => {
    let claims = 0;
    const writes = {
      ...product.writes,
      rows: <Row extends object>(statement: Statement<Row>) => {
        claims += 1;
        return product.writes.rows(statement);
      },
    };
    const parts = { database: { ...product, writes }, clock: wallClock } as unknown as PollDependencies;
    const poller = new PaymentPoller(parts, 4);
    const started = performance.now();
    while (claims < 3) {
      poller.pollUnknownSoon();
      await setImmediate();
    }
    expect(claims).toBeLessThanOrEqual(1 + (performance.now() - started) / 250);
    await poller.settled();
  });

  test('success: a shutdown does not wait until the rate allows the next poll', async () => {
    const writes = { rows: async () => [] };
    const parts = { database: { ...product, writes }, clock: wallClock } as unknown as PollDependencies;
    const hourly = new PaymentPoller(parts, 1 / 3600);
    hourly.pollUnknownSoon();
    await hourly.settled();
  });
});

describe('the order', () => {
  test('success: a caller with one callback comes before the second of another, the newest first', async () => {
    for (let number = 0; number < 20; number++)
      await call(formed(`flood${number}`), '192.0.2.1', number / 100);
    await call(formed('early'), '192.0.2.2', 1);
    await call(formed('late'), '192.0.2.3', 2);
    expect(await claimNames(3, 1)).toEqual(['late']);
    expect(await claimNames(4, 1)).toEqual(['early']);
    expect(await claimNames(5, 1)).toEqual(['flood0']);
  });

  test('success: one that shares its address with a flood waits for a few of it, not for all', async () => {
    for (let number = 0; number < 200; number++) await call(formed(`f${number}`), '192.0.2.1', number / 1000);
    await call(formed('genuine'), '192.0.2.1', 1);
    expect(await claimNames(2, 20)).toContain('genuine');
  });

  test('success: callers that reported known payments have a lane of their own, and leave room for unknown callers', async () => {
    await prove('198.51.100.1');
    for (let number = 0; number < 50; number++) await call(formed(`x${number}`), `192.0.2.${number}`, 1);
    await call(formed('first'), '198.51.100.1');
    await call(formed('second'), '198.51.100.1');
    const names = await claimNames(2, 4);
    expect(names.filter((name) => !name.startsWith('x'))).toEqual(['first', 'second']);
    expect(names).toHaveLength(4);
  });

  test('success: malformed references have the last lane', async () => {
    for (let number = 0; number < 9; number++)
      await call(`invented-${number}`, `192.0.2.${number}`, number / 10);
    await call(formed('plain'), '198.51.100.1');
    const claimed = await claim(2, 2);
    expect(claimed.map(({ reference }) => nameOf(reference)).toSorted()).toEqual(['invented-8', 'plain']);
  });

  test('success: known payments wait behind none of them', async () => {
    await call(formed('unknown'), '192.0.2.1');
    await owner.run(
      sql`insert into payments (reference, created_at, poll_at, state) values ('known', ${at(0)}, ${at(0)}, 'initial')`,
    );
    expect((await claimDuePollLeases(product.writes, at(1))).map(({ reference }) => reference)).toEqual([
      'known',
    ]);
    expect(await call('known', '192.0.2.1', 2)).toBe(true);
    expect(await claimNames(3, 10)).toEqual(['unknown']);
  });
});

describe('the outcome of a poll', () => {
  test('success: the provider knows it: it leaves the queue, and its caller is known when it has settled', async () => {
    for (const [name, settled] of [
      ['pending', false],
      ['paid', true],
    ] as const) {
      await call(formed(name), '192.0.2.1');
      const [question] = await claim(name === 'paid' ? 20 : 10, 1);
      if (!question) throw new Error('nothing was claimed');
      await leaveQueue(product.writes, question, settled, at(30));
      await closePollLease(product.writes, question);
      expect([...(await owner.rows(sql`select address from callback_callers`))]).toEqual(
        settled ? [{ address: '192.0.2.1' }] : [],
      );
    }
    expect([...(await owner.rows(sql`select lane, reported_by from payments order by reference`))]).toEqual([
      { lane: null, reported_by: null },
      { lane: null, reported_by: '192.0.2.1' },
    ]);
    await call(formed('next'), '192.0.2.1', 40);
    const [row] = await owner.rows(
      sql<{ lane: number }>`select lane from payments where reference = ${formed('next')}`,
    );
    expect(row?.lane).toBe(0);
    expect(await callerPurge.removeSome(product.writes, at(31 * 86_400))).toBe(1);
  });

  test('failure: an invented reference does not become known by another callback while it is polled', async () => {
    await call(formed('again'), '192.0.2.1');
    const [question] = await claim(1, 1);
    if (!question) throw new Error('nothing was claimed');
    expect(await call(formed('again'), '192.0.2.2', 1)).toBe(false);
    await deleteUnknown(product.writes, question);
    await closePollLease(product.writes, question);
    expect(await claimDuePollLeases(product.writes, at(2))).toEqual([]);
    expect(await claimNames(2, 1)).toEqual(['again']);
  });

  test('success: without an answer it is polled again within a minute, and so is one whose poller died', async () => {
    await call(formed('away'), '192.0.2.1');
    for (let attempt = 0, seconds = 0; attempt < 9; attempt++, seconds += 60) {
      const [question] = await claim(seconds, 1);
      if (!question) throw new Error(`nothing was claimed after ${seconds} seconds`);
      await postponePoll(product.writes, question, at(seconds));
    }
    const question = await claimPollLease(product.writes, formed('away'), at(600));
    expect(question).toMatchObject({ reportedBy: '192.0.2.1' });
    expect(await nextDue(product.reads, unknownQueue)).toEqual(at(660));
    expect(await claimNames(659, 1)).toEqual([]);
    expect(await claimNames(660, 1)).toEqual(['away']);
  });
});
