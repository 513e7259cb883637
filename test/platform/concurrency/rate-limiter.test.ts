import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RateLimiter } from '../../../src/platform/concurrency/rate-limiter.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

const takeMany = (limiter: RateLimiter<string>, key: string, count: number) =>
  Array.from({ length: count }, () => limiter.take(key).allowed);

describe('rate limiter', () => {
  test('success: as many as allowed, then no more, and it returns what is left', () => {
    const limiter = new RateLimiter<string>(3);
    expect([1, 2, 3, 4].map(() => limiter.take('a'))).toEqual([
      { allowed: true, remaining: 2, secondsToReset: 60 },
      { allowed: true, remaining: 1, secondsToReset: 60 },
      { allowed: true, remaining: 0, secondsToReset: 60 },
      { allowed: false, remaining: 0, secondsToReset: 60 },
    ]);
  });

  test('success: an event may count as several, beyond the limit it counts as one', () => {
    const limiter = new RateLimiter<string>(10);
    expect([6, 5, 3].map((cost) => limiter.take('a', cost))).toEqual([
      { allowed: true, remaining: 4, secondsToReset: 60 },
      { allowed: false, remaining: 3, secondsToReset: 60 },
      { allowed: true, remaining: 0, secondsToReset: 60 },
    ]);
  });

  test('success: one that counts as more than the limit is allowed in an unused window', () => {
    const limiter = new RateLimiter<string>(10);
    expect([limiter.take('a', 50), limiter.take('a')].map(({ allowed }) => allowed)).toEqual([true, false]);
    limiter.take('b');
    expect(limiter.take('b', 50).allowed).toBe(false);
  });

  test('success: each key has its own count', () => {
    const limiter = new RateLimiter<string>(1);
    expect([limiter.take('a').allowed, limiter.take('b').allowed, limiter.take('a').allowed]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('success: a window of another length', () => {
    const limiter = new RateLimiter<string>(1, { windowMs: 3_600_000 });
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0, secondsToReset: 3_600 });
    vi.advanceTimersByTime(3_599_999);
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, secondsToReset: 1 });
    vi.advanceTimersByTime(1);
    expect(limiter.take('a').allowed).toBe(true);
  });

  test('success: a minute later everything is allowed again, and not a moment earlier', () => {
    const limiter = new RateLimiter<string>(2);
    expect(takeMany(limiter, 'a', 3)).toEqual([true, true, false]);
    vi.advanceTimersByTime(59_500);
    expect(limiter.peek('a')).toEqual({ allowed: false, remaining: 0, secondsToReset: 1 });
    vi.advanceTimersByTime(500);
    expect(limiter.peek('a')).toEqual({ allowed: true, remaining: 2, secondsToReset: 60 });
    expect(takeMany(limiter, 'a', 3)).toEqual([true, true, false]);
  });

  test('success: refused attempts do not extend the window', () => {
    const limiter = new RateLimiter<string>(1);
    takeMany(limiter, 'a', 1);
    for (let second = 0; second < 60; second += 1) {
      limiter.take('a');
      vi.advanceTimersByTime(1000);
    }
    expect(limiter.take('a').allowed).toBe(true);
  });

  test('success: peeking counts nothing', () => {
    const limiter = new RateLimiter<string>(1);
    for (let time = 0; time < 5; time += 1) expect(limiter.peek('a').allowed).toBe(true);
    expect(limiter.take('a').allowed).toBe(true);
    expect(limiter.peek('a').allowed).toBe(false);
  });

  test('success: no more than the limit are reserved, and released ones can be reserved again', () => {
    const limiter = new RateLimiter<string>(2);
    const [first, second, third] = [1, 2, 3].map(() => limiter.reserve('a'));
    expect([first?.allowed, second?.allowed, third?.allowed]).toEqual([true, true, false]);
    third?.release();
    expect(limiter.reserve('a').allowed).toBe(false);
    first?.release();
    first?.release();
    expect([limiter.reserve('a').allowed, limiter.reserve('a').allowed]).toEqual([true, false]);
  });

  test('success: a release after its window does not affect the next one', () => {
    const limiter = new RateLimiter<string>(1);
    const early = limiter.reserve('a');
    vi.advanceTimersByTime(60_000);
    expect(limiter.take('a').allowed).toBe(true);
    early.release();
    expect(limiter.reserve('a').allowed).toBe(false);
  });

  test('success: many keys that are released or only peeked at evict no other', () => {
    const limiter = new RateLimiter<string>(1);
    takeMany(limiter, 'limited', 1);
    for (let key = 0; key < 150_000; key += 1) {
      limiter.peek(`looked at ${key}`);
      limiter.reserve(`released ${key}`).release();
    }
    expect(limiter.peek('limited').allowed).toBe(false);
  });

  test('success: many keys evict those whose window is over, not the limited one', () => {
    const limiter = new RateLimiter<string>(1);
    for (let key = 0; key < 99_999; key += 1) limiter.take(`old ${key}`);
    vi.advanceTimersByTime(60_000);
    takeMany(limiter, 'limited', 2);
    for (let key = 0; key < 1_000; key += 1) limiter.take(`new ${key}`);
    expect(limiter.peek('limited').allowed).toBe(false);
  });
});
