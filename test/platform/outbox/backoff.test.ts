import { describe, expect, test } from 'vitest';
import { backoffMs, maxBackoffMs, nextAttempt } from '../../../src/platform/outbox/backoff.ts';

const start = new Date('2027-01-01T00:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const backoff = { firstMs: 5_000, maxMs: 3_600_000 };
const numbers = [1, 2, 3, 4, 10, 11, 2_000];

describe('the wait between attempts', () => {
  test('success: it doubles up to the maximum', () => {
    const waits = numbers.map((attempts) => backoffMs(backoff, attempts) / 1000);
    expect(waits).toEqual([5, 10, 20, 40, 2_560, 3_600, 3_600]);
  });

  test('success: jitter makes it longer or shorter, the longest too', () => {
    const jittered = { ...backoff, jitter: 0.2 };
    expect([0, 0.5, 1].map((random) => backoffMs(jittered, 1, random))).toEqual([4_000, 5_000, 6_000]);
    expect(maxBackoffMs(jittered)).toBe(backoffMs(jittered, 100, 1));
    expect(maxBackoffMs(backoff)).toBe(3_600_000);
  });
});

describe('the next attempt', () => {
  const waits = (tryUntil: Date) =>
    numbers.map((attempts) => {
      const next = nextAttempt(backoff, { attempts, tryUntil }, start);
      return next && (next.getTime() - start.getTime()) / 1000;
    });

  test('success: the last one is at the deadline', () => {
    expect(waits(after(30))).toEqual([5, 10, 20, 30, 30, 30, 30]);
  });

  test('success: not before the time that the recipient asks for', () => {
    expect(nextAttempt(backoff, { attempts: 1 }, start, { minMs: 60_000 })).toEqual(after(60));
    expect(nextAttempt(backoff, { attempts: 9 }, start, { minMs: 60_000 })).toEqual(after(1_280));
  });

  test('success: without a deadline there is always one', () => {
    expect(nextAttempt(backoff, { attempts: 2_000 }, start)).toEqual(after(3_600));
  });

  test('failure: none after the deadline', () => {
    expect(waits(start)).toEqual(Array(7).fill(undefined));
  });
});
