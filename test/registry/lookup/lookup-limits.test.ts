import { describe, expect, test } from 'vitest';
import { RateLimiter } from '../../../src/platform/concurrency/rate-limiter.ts';
import { LookupLimits } from '../../../src/registry/lookup/lookup-limits.ts';

const limits = (perAddress: number, perNetwork: number) =>
  new LookupLimits({
    perAddress: new RateLimiter<string>(perAddress),
    perNetwork: new RateLimiter<string>(perNetwork),
  });

describe('the limits of the look-up', () => {
  test('failure: an address above its rate limit gets a retry time; success: an adjacent address is answered', () => {
    const both = limits(2, 100);
    expect([1, 2].map(() => both.admit('192.0.2.1').isAdmitted)).toEqual([true, true]);
    expect(both.admit('192.0.2.1')).toEqual({ isAdmitted: false, retryAfterSeconds: expect.any(Number) });
    expect(both.admit('192.0.2.2')).toMatchObject({ isAdmitted: true });
  });

  test('failure: a network above its limit, although each of its addresses is below its own', () => {
    const both = limits(2, 3);
    const asked = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '198.51.100.1'];
    expect(asked.map((address) => both.admit(address).isAdmitted)).toEqual([true, true, true, false, true]);
  });

  test('failure: too many concurrent queries; success: waiting ones are answered', async () => {
    const both = limits(1, 1);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started = Array.from({ length: 144 }, () => both.run(() => held));
    expect(both.waiting).toBe(128);
    expect(both.run(() => held)).toBeUndefined();
    release();
    await Promise.all(started);
    expect(both.waiting).toBe(0);
  });
});
