import { describe, expect, test } from 'vitest';
import { stateOf } from '../../../src/doors/console/domains/state-tag.ts';
import { ee } from '../../../src/policy/ee.ts';

const NOW = new Date('2027-11-02T12:00:00Z');
const LATER = new Date('2028-11-02T12:00:00Z');

describe('the state of a domain in a word', () => {
  test.each([
    [[], 'active'],
    [['clientTransferProhibited'], 'active'],
    [['clientHold'], 'held'],
    [['disputed', 'clientHold', 'pendingUpdate'], 'disputed'],
    [['disputed', 'serverForceDelete'], 'forceDelete'],
    [['pendingUpdate'], 'waiting'],
    [['pendingDeleteConfirmation', 'clientHold'], 'waiting'],
    [['serverForceDelete', 'pendingUpdate'], 'forceDelete'],
    [['serverHold', 'serverForceDelete'], 'heldByRegistry'],
    [['pendingDelete', 'serverHold'], 'deleting'],
  ] as const)('success: of %j the worst is %s', (statuses, state) => {
    expect(stateOf({ statuses, expireTime: LATER }, NOW, ee)).toBe(state);
  });

  test('success: where statuses are as stored, a dispute is told apart', () => {
    const seen = { statuses: ['clientHold'], expireTime: LATER };
    expect(stateOf({ ...seen, isDisputed: true }, NOW, ee)).toBe('disputed');
    expect(stateOf({ ...seen, isDisputed: false }, NOW, ee)).toBe('held');
  });

  test.each([
    ['2027-11-02T12:00:00Z', 'expired'],
    ['2027-11-02T12:00:01Z', 'expiring'],
    ['2027-12-02T12:00:00Z', 'expiring'],
    ['2027-12-03T12:00:01Z', 'active'],
  ])('success: one that expires at %s is %s', (at, state) => {
    expect(stateOf({ statuses: [], expireTime: new Date(at) }, NOW, ee)).toBe(state);
  });
});
