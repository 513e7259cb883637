import { expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { deadline } from '../../../src/registry/mails/registrant-mails.ts';

test.each([
  ['2030-01-10T10:00:00Z', '2030-01-10 12:00'],
  ['2030-07-10T22:30:00Z', '2030-07-11 01:30'],
])('success: %s is written in the zone of the registry, which is named', (moment, written) => {
  expect(deadline(new Date(moment), ee)).toEqual({
    et: `${written} (Ida-Euroopa aeg)`,
    en: `${written} (Eastern European Time)`,
  });
});
