import { expect, test } from 'vitest';
import { ee } from '../../../../src/policy/ee.ts';
import { dayOf, dayOfUtcDate, startOfDay } from '../../../../src/registry/domains/rules/periods.ts';

test.each([
  ['Europe/Tallinn', '2027-01-14', '2027-01-15'],
  ['Europe/Tallinn', '2027-06-30', '2027-07-01'],
  ['UTC', '2027-01-15', '2027-01-15'],
  ['America/New_York', '2027-01-15', '2027-01-15'],
  ['Pacific/Kiritimati', '2027-12-31', '2028-01-01'],
])('the day in %s that begins on %s in UTC is %s', (timeZone, date, day) => {
  const policy = { ...ee, timeZone };
  expect(dayOfUtcDate(date, policy)).toBe(day);
  expect(dayOf(startOfDay(day, policy), policy)).toBe(day);
});
