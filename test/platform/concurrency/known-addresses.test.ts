import { expect, test } from 'vitest';
import { KnownAddresses } from '../../../src/platform/concurrency/known-addresses.ts';

test('success: ten thousand addresses are known, and those with the latest logins stay', () => {
  const known = new KnownAddresses();
  for (let each = 0; each < 10_000; each++) known.noteLogin(String(each), 'one');
  known.noteLogin('0', 'other');
  known.noteLogin('another', 'one');
  expect(['0', '1', '2', 'another', 'never'].map((address) => known.userOf(address))).toEqual([
    'other',
    undefined,
    'one',
    'one',
    undefined,
  ]);
});
