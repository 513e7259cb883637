import { expect, test } from 'vitest';
import { ledgerFinding } from '../../src/doctor/check-ledger-and-prices.ts';
import { FIRST_POSITION } from '../../src/ledger/check-position.ts';

const check = { findings: [], findingCount: 0, entries: 120, isComplete: true };
const [startedAt, checkedAt] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-17T00:00:00Z')];
const since = { ...FIRST_POSITION, entries: 1_000_000, startedAt, checkedAt };

test('success: what was checked, and what was checked before', () => {
  expect(ledgerFinding(check, undefined)).toEqual({
    state: 'ok',
    says: 'clean: all 120 entries were checked',
  });
  expect(ledgerFinding(check, since)).toEqual({
    state: 'ok',
    says: 'clean: 120 entries were checked, and 1000000 before them on 2026-11-17T00:00:00.000Z',
  });
});

test('failure: a ledger that disagrees, and one of which a part was checked', () => {
  expect(ledgerFinding({ ...check, findingCount: 2 }, since)).toMatchObject({
    state: 'problem',
    says: 'It disagrees in 2 places.',
  });
  const part = { ...check, isComplete: false };
  expect(ledgerFinding(part, undefined)).toMatchObject({
    state: 'warning',
    says: 'Not all of it could be checked within 10 s: 120 entries were.',
  });
  expect(ledgerFinding(part, since)).toMatchObject({
    state: 'warning',
    says: 'Not all of it could be checked within 10 s: 120 entries were, and 1000000 before them on 2026-11-17T00:00:00.000Z.',
  });
});
