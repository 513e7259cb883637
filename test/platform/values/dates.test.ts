import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Temporal } from 'temporal-polyfill';
import { dayIn, moveBy, parseDay, parseMoment, timeIn } from '../../../src/platform/values/dates.ts';

const TALLINN = 'Europe/Tallinn';
const moved = (from: string, duration: string) => moveBy(new Date(from), duration, TALLINN)?.toISOString();

describe('moving by a duration', () => {
  test('success: a day in Tallinn has 23 hours in spring and 25 in autumn, 24 hours are 24 hours', () => {
    expect(moved('2027-03-27T12:00:00Z', 'P1D')).toBe('2027-03-28T11:00:00.000Z');
    expect(moved('2027-03-27T12:00:00Z', 'PT24H')).toBe('2027-03-28T12:00:00.000Z');
    expect(moved('2026-10-24T12:00:00Z', 'P1D')).toBe('2026-10-25T13:00:00.000Z');
    expect(moved('2026-10-24T12:00:00Z', 'PT24H')).toBe('2026-10-25T12:00:00.000Z');
  });

  test('success: a local time skipped by daylight saving is moved past the gap', () => {
    // 03:30 on 28 March does not exist in Tallinn
    expect(moved('2027-03-27T01:30:00Z', 'P1D')).toBe('2027-03-28T01:30:00.000Z');
  });

  test('success: months and years end where the calendar does', () => {
    expect(moved('2027-01-31T10:00:00Z', 'P1M')).toBe('2027-02-28T10:00:00.000Z');
    expect(moved('2028-01-31T10:00:00Z', 'P1M')).toBe('2028-02-29T10:00:00.000Z');
    expect(moved('2028-02-29T10:00:00Z', 'P1Y')).toBe('2029-02-28T10:00:00.000Z');
    expect(moved('2028-02-29T10:00:00Z', 'P4Y')).toBe('2032-02-29T10:00:00.000Z');
    expect(moved('2027-01-01T10:00:00Z', 'P1Y1M1DT1H1M1S')).toBe('2028-02-02T11:01:01.000Z');
    expect(moved('2027-01-01T10:00:00Z', '-P1D')).toBe('2026-12-31T10:00:00.000Z');
  });

  test.each(['', 'P', 'PT', 'P1', '1D', 'P1H', 'tomorrow', 'P1.5D', 'P1D1Y', 'P999999999Y', 'PT1H '])(
    'failure: %j is no valid duration',
    (duration) => {
      expect(moved('2027-01-01T10:00:00Z', duration)).toBeUndefined();
    },
  );

  test('success: hours are exact on every day of every year', () => {
    const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 100_000 }), (at, hours) => {
        const later = moveBy(at, `PT${hours}H`, TALLINN);
        return later?.getTime() === at.getTime() + hours * 3_600_000;
      }),
    );
  });
});

describe('times with an offset', () => {
  test.each([
    ['2027-01-31T21:59:59.999Z', '2027-01-31T23:59:59+02:00'],
    ['2027-01-31T22:00:00Z', '2027-02-01T00:00:00+02:00'],
    ['2027-07-31T20:59:59Z', '2027-07-31T23:59:59+03:00'],
    ['2027-03-28T00:59:59Z', '2027-03-28T02:59:59+02:00'],
    ['2027-03-28T01:00:00Z', '2027-03-28T04:00:00+03:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25T03:59:59+03:00'],
    ['2026-10-25T01:00:00Z', '2026-10-25T03:00:00+02:00'],
  ])('success: %s is %s in Tallinn', (at, written) => {
    expect(timeIn(TALLINN, new Date(at))).toBe(written);
  });

  test('success: every moment is written as Temporal writes it', () => {
    const moment = fc.date({ min: new Date('1975-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    const zone = fc.constantFrom(TALLINN, 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC');
    fc.assert(
      fc.property(zone, moment, (timeZone, at) => {
        const written = Temporal.Instant.fromEpochMilliseconds(at.getTime())
          .toZonedDateTimeISO(timeZone)
          .toString({ timeZoneName: 'never', smallestUnit: 'second' });
        expect(timeIn(timeZone, at)).toBe(written);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('days', () => {
  test('success: the day changes at midnight in Tallinn, winter and summer', () => {
    expect(dayIn(TALLINN, new Date('2027-01-31T21:59:59Z')).toString()).toBe('2027-01-31');
    expect(dayIn(TALLINN, new Date('2027-01-31T22:00:00Z')).toString()).toBe('2027-02-01');
    expect(dayIn(TALLINN, new Date('2027-07-31T20:59:59Z')).toString()).toBe('2027-07-31');
    expect(dayIn(TALLINN, new Date('2027-07-31T21:00:00Z')).toString()).toBe('2027-08-01');
  });

  test('success: a real day is read and written back', () => {
    for (const day of ['2028-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])
      expect(parseDay(day)?.toString()).toBe(day);
  });

  test.each([
    '2027-02-29',
    '1900-02-29',
    '2027-04-31',
    '2027-13-01',
    '2027-00-10',
    '2027-1-1',
    '20270101',
    '2027-01-01T00:00',
    '+002027-01-01',
    '',
  ])('failure: %j is no day', (text) => {
    expect(parseDay(text)).toBeUndefined();
  });
});

describe('moments', () => {
  test('success: with any offset', () => {
    expect(parseMoment('2027-01-01T02:00:00+02:00')?.toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(parseMoment('2027-01-01T00:00Z')?.toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(parseMoment('2027-01-01T00:00:00.123456Z')?.toISOString()).toBe('2027-01-01T00:00:00.123Z');
  });

  test.each(['2027-01-01', '2027-01-01T00:00:00', '2027-02-30T00:00:00Z', '1798761600', 'now', ''])(
    'failure: %j is no moment',
    (text) => {
      expect(parseMoment(text)).toBeUndefined();
    },
  );
});
