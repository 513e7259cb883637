import { describe, expect, test } from 'vitest';
import {
  addToSerial,
  aheadOfDate,
  isLaterSerial,
  nextSerial,
  stepTowardsDate,
} from '../../../src/registry/zones/serial.ts';

const at = (seconds: number) => new Date(seconds * 1000);

describe('serials of a zone', () => {
  test.each([
    ['the time, where it is later', 1_000, 2_000, 2_000],
    ['the next number within the same second', 2_000, 2_000, 2_001],
    ['the next number after a clock that went back', 2_005, 2_000, 2_006],
    ['zero after the highest', 2 ** 32 - 1, 2 ** 32 - 1, 0],
    ['the time after it has wrapped around', 2 ** 32 - 5, 2 ** 32 + 10, 10],
    ['the next number on the way back to the date', 2 ** 31 + 2_000, 2_000 + 2 ** 32, 2 ** 31 + 2_001],
  ])('success: the next is %s', (_what, previous, now, next) => {
    expect(nextSerial(previous, at(now))).toBe(next);
    expect(isLaterSerial(next, previous)).toBe(true);
  });

  test('success: one that is 420 days ahead is led back to the date in two steps, each of which is later', () => {
    const now = at(1_800_000_000);
    const ahead = 1_800_000_000 + 420 * 86_400;
    expect(aheadOfDate(ahead, now)).toBe(420 * 86_400);
    const first = stepTowardsDate(ahead, now);
    expect(first).toEqual({ serial: ahead + 2 ** 31 - 1, isLast: false });
    const middle = first?.serial ?? 0;
    expect(isLaterSerial(middle, ahead)).toBe(true);
    // What is published between the two steps does not take the second one.
    expect(nextSerial(middle, now)).toBe(middle + 1);
    expect(stepTowardsDate(middle + 1, now)).toEqual({ serial: 1_800_000_000, isLast: true });
    expect(isLaterSerial(1_800_000_000, middle + 1)).toBe(true);
    expect(stepTowardsDate(1_800_000_000, now)).toBe(undefined);
  });

  test.each([
    ['the date', 0],
    ['an hour ahead', 3_600],
    ['a year behind', -365 * 86_400],
  ])('failure: nothing is to be led back from %s', (_what, ahead) => {
    const now = at(1_800_000_000);
    expect(aheadOfDate(1_800_000_000 + ahead, now)).toBe(undefined);
    expect(stepTowardsDate(1_800_000_000 + ahead, now)).toBe(undefined);
  });

  test('success: they are compared as RFC 1982 says', () => {
    expect(isLaterSerial(1, 2 ** 32 - 1)).toBe(true);
    expect(isLaterSerial(2 ** 32 - 1, 1)).toBe(false);
    expect(isLaterSerial(7, 7)).toBe(false);
    expect(isLaterSerial(2 ** 31, 0)).toBe(false);
    expect(isLaterSerial(2 ** 31 - 1, 0)).toBe(true);
    expect(addToSerial(2 ** 32 - 1, 2)).toBe(1);
  });
});
