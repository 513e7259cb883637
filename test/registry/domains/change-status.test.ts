import { describe, expect, test } from 'vitest';
import { removeClientStatus, setClientStatus } from '../../../src/registry/domains/change-status.ts';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import { contextOf, foundDomain, refusalsOf } from '../../support/decisions.ts';

const NAME = 'example.ee';

describe('clientHold', () => {
  const set = (status: string, statuses: Domain['statuses'] = {}) =>
    setClientStatus.decide(foundDomain({ statuses }), { name: NAME, status }, contextOf());
  const remove = (status: string, statuses: Domain['statuses'] = {}) =>
    removeClientStatus.decide(foundDomain({ statuses }), { name: NAME, status }, contextOf());

  test('success: set twice, removed, and no other status is lost', () => {
    const others = { serverHold: 'by court order', expired: '' };
    expect(set('clientHold', others).after.statuses).toEqual({ clientHold: '', ...others });
    expect(set('clientHold', { clientHold: 'a note' }).after.statuses).toEqual({ clientHold: 'a note' });
    expect(remove('clientHold', { clientHold: '', ...others }).after.statuses).toEqual(others);
  });

  test('failure: an absent one', () => {
    expect(refusalsOf(() => remove('clientHold'))).toEqual([['statusAbsent', null]]);
  });

  test.each([['serverHold'], ['ok'], ['clienthold'], ['clientDeleteProhibited'], ['x']])(
    'failure: a registrar cannot set or remove %s',
    (status) => {
      const there = { [status]: '' };
      expect(refusalsOf(() => set(status))).toEqual([['statusUnsupported', null]]);
      expect(refusalsOf(() => remove(status, there))).toEqual([['statusUnsupported', null]]);
    },
  );
});
