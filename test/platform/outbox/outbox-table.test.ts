import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailOutbox } from '../../../src/platform/mail/deliver-mails.ts';
import { enqueueMails } from '../../../src/platform/mail/enqueue-mails.ts';
import { retriedMails } from '../../../src/platform/mail/mail-view.ts';
import { type Claimed, dueTimeOf, markSent, retriedRows } from '../../../src/platform/outbox/outbox-table.ts';
import { hasDue, nextDue } from '../../../src/platform/outbox/queue.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

type Mail = Claimed & { readonly id: number };
const start = new Date('2027-01-01T00:00:00Z');
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const later = { error: new Error('not now'), reason: 'not now', nextAttemptAt: after(60) };
const never = { ...later, nextAttemptAt: undefined };

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase(2);
});
afterAll(() => opened.close());
beforeEach(async () => {
  await db().run(sql`delete from mails`);
});

const db = (node = 0) => (opened.databases[node] as Database).writes;
const rows = (node = 0) => retriedRows<Mail>(db(node), mailOutbox);
const enqueue = (count = 1) =>
  enqueueMails(
    db(),
    Array.from({ length: count }, () => ({ to: 'a@example.ee', subject: 's', text: 't', html: 'h' })),
    start,
  );
const state = () =>
  db().one(sql`
    select attempts, next_attempt_at as next, sent_at as sent, gave_up_at as "gaveUp", last_error as error from mails`);
async function claimOne(minutes = 0): Promise<Mail> {
  const [mail, ...others] = await rows().claim(after(minutes));
  if (!mail || others.length > 0) throw new Error('not one was claimed');
  return mail;
}

describe('a claim', () => {
  test('success: counts the attempt, and is exclusive until its lease ends', async () => {
    await enqueue();
    expect(await claimOne()).toMatchObject({ attempts: 1, tryUntil: after(3 * 24 * 60) });
    expect(await rows(1).claim(after(4))).toEqual([]);
    expect(await claimOne(5)).toMatchObject({ attempts: 2 });
  });

  test('success: claims at the same time share the rows, a batch each', async () => {
    await enqueue(25);
    const claims = await Promise.all([0, 1, 0, 1].map((node) => rows(node).claim(start)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const claimed of claims) expect(claimed.length).toBeLessThanOrEqual(mailOutbox.batch);
  });

  test('success: what is due, and when the next is', async () => {
    const isDue = async (minutes: number) =>
      (await db().one(sql<{ due: boolean }>`select ${hasDue(mailOutbox, after(minutes))} as due`)).due;
    expect(await isDue(0)).toBe(false);
    expect(await nextDue(db(), mailOutbox)).toBeUndefined();
    await enqueue();
    expect([await isDue(-1), await isDue(0)]).toEqual([false, true]);
    expect(await nextDue(db(), mailOutbox)).toEqual(start);
    await claimOne();
    expect(await isDue(0)).toBe(false);
    expect(await nextDue(db(), mailOutbox)).toEqual(after(5));
  });
});

describe('what came of an attempt', () => {
  test('success: postponed, then given up', async () => {
    await enqueue();
    await rows().markFailed(await claimOne(), start, later);
    expect(await state()).toMatchObject({ next: after(60), gaveUp: null, error: 'not now' });
    await rows().markFailed(await claimOne(60), after(60), never);
    expect(await state()).toMatchObject({ attempts: 2, gaveUp: after(60) });
    expect(await rows().claim(after(1_000))).toEqual([]);
  });

  test('success: of two attempts that both succeeded the first to be recorded counts', async () => {
    await enqueue();
    const [slow, quick] = [await claimOne(), await claimOne(5)];
    expect(await markSent(db(), mailOutbox, quick, after(6))).toBe(true);
    expect(await markSent(db(), mailOutbox, slow, after(7))).toBe(false);
    expect(await state()).toMatchObject({ sent: after(6) });
  });

  test.each([later, never])(
    'failure: that of an expired claim does not overwrite the next one',
    async (failure) => {
      await enqueue();
      const slow = await claimOne();
      await claimOne(5);
      await rows().markFailed(slow, after(6), failure);
      expect(await state()).toMatchObject({ attempts: 2, next: after(10), gaveUp: null, error: null });
    },
  );

  test('failure: nor does it overwrite a retry by an operator, or a success', async () => {
    await enqueue();
    const mail = await claimOne();
    await db().run(retriedMails([mail.id], after(1)));
    await rows().markFailed(mail, after(2), later);
    expect(await state()).toMatchObject({ next: after(1), error: null });
    const again = await claimOne(2);
    await markSent(db(), mailOutbox, again, after(2));
    await rows().markFailed(again, after(3), never);
    expect(await state()).toMatchObject({ sent: after(2), gaveUp: null, error: null });
  });
});

test('success: its due times lie no further ahead than its longest wait', () => {
  expect(dueTimeOf('mails', mailOutbox)).toMatchObject({ table: 'mails', maxAheadMs: 3_600_000 });
});
