import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import { refusalsOf, updateOf } from '../../support/decisions.ts';

describe('clientHold', () => {
  const set = (status: string, statuses: Domain['statuses'] = {}) =>
    updateOf({ statuses }, { add: { statuses: [{ status, mayBePresent: true }] } });
  const remove = (status: string, statuses: Domain['statuses'] = {}) =>
    updateOf({ statuses }, { remove: { statuses: [{ status }] } });
  test('success: set twice, removed, and no other status is lost', () => {
    const others = { serverHold: 'by court order', expired: '' };
    expect(set('clientHold', others).after.statuses).toEqual({ clientHold: '', ...others });
    expect(set('clientHold', { clientHold: 'a note' }).after.statuses).toEqual({ clientHold: 'a note' });
    expect(remove('clientHold', { clientHold: '', ...others }).after.statuses).toEqual(others);
  });

  test('success: history names the change of one status alone', () => {
    expect(set('clientHold').operation).toBe('set clientHold');
    expect(remove('clientHold', { clientHold: '' }).operation).toBe('remove clientHold');
    const both = { remove: { statuses: [{ status: 'clientHold' }] }, transferCode: 'chosen-by-us' };
    expect(updateOf({ statuses: { clientHold: '' } }, both).operation).toBe('update');
  });

  test('failure: an absent one', () => {
    expect(refusalsOf(() => remove('clientHold'))).toEqual([['statusAbsent', 'remove.statuses.0']]);
  });

  test.each([['serverHold'], ['ok'], ['clienthold'], ['clientDeleteProhibited'], ['x']])(
    'failure: a registrar cannot set or remove %s',
    (status) => {
      const there = { [status]: '' };
      expect(refusalsOf(() => set(status))).toEqual([['statusUnsupported', 'add.statuses.0']]);
      expect(refusalsOf(() => remove(status, there))).toEqual([['statusUnsupported', 'remove.statuses.0']]);
    },
  );
});
