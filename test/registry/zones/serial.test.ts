import { describe, expect, test } from 'vitest';
import { addToSerial, isLaterSerial, nextSerial } from '../../../src/registry/zones/serial.ts';

const at = (seconds: number) => new Date(seconds * 1000);

describe('serials of a zone', () => {
  test.each([
    ['the time, where it is later', 1_000, 2_000, 2_000],
    ['the next number within the same second', 2_000, 2_000, 2_001],
    ['the next number after a clock that went back', 2_005, 2_000, 2_006],
    ['zero after the highest', 2 ** 32 - 1, 2 ** 32 - 1, 0],
    ['the time after it has wrapped around', 2 ** 32 - 5, 2 ** 32 + 10, 10],
  ])('success: the next is %s', (_what, previous, now, next) => {
    expect(nextSerial(previous, at(now))).toBe(next);
    expect(isLaterSerial(next, previous)).toBe(true);
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
