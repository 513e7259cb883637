import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  claimDuePollLeases,
  claimPollLease,
  closePollLease,
  deleteUnknown,
  type PollLease,
  postponePoll,
} from '../../../src/billing/payments/poll-leases.ts';
import { recordCallback } from '../../../src/billing/payments/record-callback.ts';
import { claimUnknown } from '../../../src/billing/payments/unknown-payments.ts';
import type { Owner } from '../../../src/platform/database/database.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';

let db: Owner;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  db = await connectAsOwner({ ...inject('server'), database: database.name });
  drop = database.drop;
});
// Each test begins at the same moment, with the whole rate unused.
beforeEach(async () => {
  await db.run(sql`delete from lookup_rate_limit`);
});
afterAll(async () => {
  await db.close();
  await drop();
});

const START = Date.parse('2026-11-15T12:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000);
const LEASE = 61;
const CALLER = '192.0.2.1';
const PER_SECOND = 100;

async function claim(reference: string, seconds: number): Promise<PollLease> {
  const question = await claimPollLease(db, reference, at(seconds));
  if (!question) throw new Error('somebody else is at it');
  return question;
}

/** A poller whose lease expired, and a later callback whose poller died too; returns the expired lease. */
async function expiredLease(reference: string): Promise<PollLease> {
  await recordCallback(db, { reference, eventName: 'status_updated', caller: CALLER }, at(0));
  const slow = await claim(reference, 0);
  await recordCallback(db, { reference, eventName: 'status_updated', caller: CALLER }, at(LEASE));
  await claim(reference, LEASE);
  return slow;
}
const dueAfter = async (reference: string, seconds: number) =>
  [
    ...(await claimDuePollLeases(db, at(seconds))),
    ...(await claimUnknown(db, at(seconds), PER_SECOND)),
  ].filter((question) => question.reference === reference).length;

describe('an answer that comes after its lease expired', () => {
  test('success: the next poll is repeated when its poller has died', async () => {
    await closePollLease(db, await expiredLease('closed'));
    expect(await dueAfter('closed', LEASE)).toBe(0);
    expect(await dueAfter('closed', 2 * LEASE)).toBe(1);
  });

  test('success: a failure does not close the next lease either', async () => {
    await postponePoll(db, await expiredLease('later'), at(LEASE));
    expect(await dueAfter('later', LEASE + 10)).toBe(0);
    expect(await dueAfter('later', 2 * LEASE)).toBe(1);
  });

  test('success: a callback that came meanwhile is not deleted with an unknown payment', async () => {
    await recordCallback(db, { reference: 'unknown', eventName: undefined, caller: CALLER }, at(0));
    const question = await claim('unknown', 0);
    await recordCallback(db, { reference: 'unknown', eventName: undefined, caller: CALLER }, at(1));
    await deleteUnknown(db, question);
    await closePollLease(db, question);
    expect(await dueAfter('unknown', 1)).toBe(1);
  });

  test('success: an unknown payment without another callback is deleted', async () => {
    await recordCallback(db, { reference: 'invented', eventName: undefined, caller: CALLER }, at(0));
    await deleteUnknown(db, await claim('invented', 0));
    expect(await db.rows(sql`select from payments where reference = 'invented'`)).toHaveLength(0);
  });
});

test('failure: no second poll while a lease is held', async () => {
  await recordCallback(db, { reference: 'busy', eventName: undefined, caller: CALLER }, at(0));
  await claim('busy', 0);
  expect(await claimPollLease(db, 'busy', at(LEASE - 2))).toBeUndefined();
  expect(await claimPollLease(db, 'busy', at(LEASE))).toMatchObject({ number: 2 });
});
