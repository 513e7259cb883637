import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseByTable, parseIdn } from '../../../src/registry/names/name.ts';

const label = fc.string({
  unit: fc.constantFrom(...'abxn019-õß.'),
  minLength: 1,
  maxLength: 66,
});
const names = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));

describe('parseIdn', () => {
  test('the fast path for ASCII names agrees with the tables', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(parseIdn(name)).toEqual(parseByTable(name.trim().normalize('NFC').toLowerCase()));
      }),
      { numRuns: process.env.TORTURE ? 3000 : 1000 },
    );
  });

  test.each([
    'example.ee',
    'a.ee',
    'xn--hkanen-bua.ee',
    'ab--cd.ee',
    '-a.ee',
    'a-.ee',
    'a..ee',
    '.ee',
    'ee',
    `${'a'.repeat(63)}.ee`,
    `${'a'.repeat(64)}.ee`,
    `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(61)}`,
    `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(62)}`,
  ])('both ways agree about %s', (name) => {
    expect(parseIdn(name)).toEqual(parseByTable(name));
  });
});
