import { expect, test } from 'vitest';
import {
  ConnectionLimits,
  type ConnectionUsage,
} from '../../../src/platform/concurrency/connection-limits.ts';

const connection = (lastUsedAt: number, rest: Partial<ConnectionUsage> = {}): ConnectionUsage => ({
  isProtected: false,
  isAuthenticated: false,
  lastUsedAt,
  ...rest,
});
const limits = (maxPerBucket: number, maxTotal: number) =>
  new ConnectionLimits<ConnectionUsage>({ maxPerBucket, maxTotal, usageOf: (usage) => usage });

test('success: within the limits nothing is closed, and deleted connections no longer count', () => {
  const two = limits(2, 3);
  const first = connection(1);
  expect([two.add(first, 'a'), two.add(connection(2), 'a'), two.add(connection(3), 'b')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  two.delete(first);
  expect(two.add(connection(4), 'a')).toBeUndefined();
});

test('failure: the least recently used one of the address is closed, unauthenticated ones first, protected ones never', () => {
  const three = limits(3, 100);
  const known = connection(1, { isAuthenticated: true });
  const [older, newer] = [connection(2), connection(3)];
  for (const each of [known, older, newer]) three.add(each, 'a');
  const displaced: (ConnectionUsage | undefined)[] = [];
  for (const at of [4, 5, 6, 7]) {
    displaced.push(three.add(connection(at, { isProtected: true }), 'a'));
  }
  expect(displaced).toEqual([older, newer, known, connection(7, { isProtected: true })]);
});

test('failure: of several at once each displaces another one, which counts no more before it is closed', () => {
  const two = limits(2, 100);
  const all = [1, 2, 3, 4, 5].map((at) => connection(at));
  expect(all.map((each) => two.add(each, 'a'))).toEqual([undefined, undefined, ...all.slice(0, 3)]);
  // They close later.
  for (const each of all.slice(0, 3)) two.delete(each);
  expect(two.add(connection(6), 'a')).toBe(all[3]);
});

test('failure: above the total one of the address with most is closed; those without an address are counted', () => {
  const all = limits(10, 4);
  const [first, second] = [connection(5), connection(6)];
  for (const each of [first, second]) all.add(each, 'large');
  all.add(connection(1), 'small');
  all.add(connection(0), undefined);
  expect(all.add(connection(9), 'small')).toBe(first);
});

test('failure: above the limit of strangers the oldest is closed, never one that is protected or authenticated', () => {
  const two = new ConnectionLimits<ConnectionUsage>({
    maxPerBucket: 10,
    maxTotal: 10,
    maxStrangers: 2,
    usageOf: (usage) => usage,
  });
  const [known, busy, idle] = [connection(1), connection(2, { isProtected: true }), connection(3)];
  two.add(known, 'a');
  two.noteAuthenticated(known);
  for (const each of [busy, idle]) expect(two.add(each, 'b')).toBeUndefined();
  const next = connection(4);
  expect(two.add(next, 'c')).toBe(idle);
  // Counted no more, although it has not closed yet.
  expect(two.add(connection(5), 'd')).toBe(next);
  const last = connection(6, { isProtected: true });
  two.add(connection(7, { isProtected: true }), 'e');
  expect(two.add(last, 'f')).toBe(last);
});
