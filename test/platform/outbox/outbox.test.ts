import { describe, expect, test } from 'vitest';
import { attempt, type Outbox, sendDue } from '../../../src/platform/outbox/outbox.ts';

const start = new Date('2027-01-01T00:00:00Z');

/** An outbox of these batches, which records every call. */
function outboxOf(batches: readonly (readonly string[])[], send: (item: string) => Promise<void>) {
  const left = [...batches];
  const done: string[] = [];
  const outbox: Outbox<string> = {
    claim: async () => left.shift() ?? [],
    send,
    nextAttempt(_item, { message }, now) {
      if (message === 'a bug') throw new Error(message);
      return message === 'for good' ? undefined : now;
    },
    markSent: async (item) => done.push(`${item} marked`),
    markFailed: async (item, _now, { reason, nextAttemptAt }) =>
      void done.push(`${item} ${nextAttemptAt ? 'postponed' : 'given up'}: ${reason}`),
    report: (item, outcome) => void done.push(`${item} ${outcome}`),
  };
  return { outbox, done, run: () => sendDue(outbox, () => start) };
}

describe('what is due', () => {
  test('success: batch after batch, until none is left', async () => {
    const { run, done } = outboxOf([['a', 'b'], ['c']], async () => {});
    await run();
    expect(done.filter((line) => line.endsWith('marked'))).toEqual(['a marked', 'b marked', 'c marked']);
    expect(done.filter((line) => line.endsWith('sent'))).toHaveLength(3);
  });

  test('success: one failure affects no other', async () => {
    const { run, done } = outboxOf([['a', 'b', 'c']], async (item) => {
      if (item === 'a') throw new Error('x'.repeat(1_000));
      if (item === 'b') throw new Error('for good');
    });
    await run();
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
    const { outbox, run, done } = outboxOf([['a', 'b'], ['c']], async () => {});
    const { markSent } = outbox;
    outbox.markSent = (item, now) =>
      item === 'a' ? Promise.reject(new Error('no database')) : markSent(item, now);
    await expect(run()).rejects.toThrow('no database');
    expect(done).toEqual(['b marked', 'b sent']);
  });

  test('failure: so does what is no failure of the recipient, and its claim remains', async () => {
    const { run, done } = outboxOf([['a', 'b']], async (item) => {
      if (item === 'a') throw new Error('a bug');
    });
    await expect(run()).rejects.toThrow('a bug');
    expect(done).toEqual(['b marked', 'b sent']);
  });

  test('failure: an attempt that a stop has cut off is not recorded', async () => {
    const { outbox, done } = outboxOf([], () => Promise.reject(new Error('cut off')));
    await attempt(outbox, 'a', () => start, AbortSignal.abort());
    expect(done).toEqual([]);
  });
});
