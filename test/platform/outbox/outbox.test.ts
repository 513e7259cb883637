import { describe, expect, test } from 'vitest';
import { backoff, type Claimed, type Outbox, sendDue } from '../../../src/platform/outbox/outbox.ts';

const start = new Date('2027-01-01T00:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);

type Item = Claimed & { readonly name: string };
const item = (name: string): Item => ({ name, attempts: 1, tryUntil: after(100) });

/** An outbox of these batches, which records every call. */
function outboxOf(batches: readonly (readonly string[])[], send: (item: Item) => Promise<void>) {
  const left = batches.map((names) => names.map(item));
  const done: string[] = [];
  const outbox: Outbox<Item> = {
    claim: async () => left.shift() ?? [],
    send,
    nextAttempt: (_item, failure, now) => (failure.message === 'for good' ? undefined : now),
    markSent: async ({ name }) => void done.push(`${name} marked`),
    postpone: async ({ name }, _at, reason) => void done.push(`${name} postponed: ${reason}`),
    giveUp: async ({ name }, _at, reason) => void done.push(`${name} given up: ${reason}`),
    report: ({ name }, outcome) => void done.push(`${name} ${outcome}`),
  };
  return { outbox, done };
}

describe('what is due', () => {
  test('success: batch after batch, until none is left', async () => {
    const { outbox, done } = outboxOf([['a', 'b'], ['c']], async () => {});
    await sendDue(outbox, start);
    expect(done.filter((line) => line.endsWith('marked'))).toEqual(['a marked', 'b marked', 'c marked']);
    expect(done.filter((line) => line.endsWith('sent'))).toHaveLength(3);
  });

  test('success: one failure affects no other', async () => {
    const { outbox, done } = outboxOf([['a', 'b', 'c']], async ({ name }) => {
      if (name === 'a') throw new Error('x'.repeat(1_000));
      if (name === 'b') throw new Error('for good');
    });
    await sendDue(outbox, start);
    expect(done.sort()).toEqual([
      'a postponed',
      `a postponed: ${'x'.repeat(500)}`,
      'b given up',
      'b given up: for good',
      'c marked',
      'c sent',
    ]);
  });

  test('failure: a result that cannot be recorded fails the run, once the others have ended', async () => {
    const { outbox, done } = outboxOf([['a', 'b'], ['c']], async () => {});
    const { markSent } = outbox;
    outbox.markSent = (sent, at) =>
      sent.name === 'a' ? Promise.reject(new Error('no database')) : markSent(sent, at);
    await expect(sendDue(outbox, start)).rejects.toThrow('no database');
    expect(done).toEqual(['b marked', 'b sent']);
  });
});

describe('the wait between attempts', () => {
  const retryAt = backoff({ firstMs: 5_000, longestMs: 3_600_000 });
  const waits = (tryUntil: Date) =>
    [1, 2, 3, 4, 10, 11, 2_000].map((attempts) => {
      const next = retryAt(attempts, start, tryUntil);
      return next && (next.getTime() - start.getTime()) / 1000;
    });

  test('success: it doubles up to the maximum', () => {
    expect(waits(after(1_000_000))).toEqual([5, 10, 20, 40, 2_560, 3_600, 3_600]);
  });

  test('success: the last attempt is at the deadline', () => {
    expect(waits(after(30))).toEqual([5, 10, 20, 30, 30, 30, 30]);
  });

  test('failure: no attempt after the deadline', () => {
    expect(waits(start)).toEqual(Array(7).fill(undefined));
  });
});
