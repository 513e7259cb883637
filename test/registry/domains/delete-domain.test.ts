import { describe, expect, test } from 'vitest';
import { deleteDomain } from '../../../src/registry/domains/delete-domain.ts';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import type { RequestToken } from '../../../src/registry/requests/request-store.ts';
import { CODE, contextOf, foundDomain, NOW, refusalsOf } from '../../support/decisions.ts';

const NAME = 'example.ee';
const token = 'a-token' as RequestToken;
/** 48 hours later. */
const LAPSES = new Date('2027-03-03T10:00:00Z');

describe('a deletion', () => {
  const remove = (verified: boolean, domain: Partial<Domain> = {}, transferCode?: string) =>
    deleteDomain.decide(
      { ...foundDomain(domain), token },
      { name: NAME, verified, transferCode },
      contextOf(),
    );

  test('success: verified, it leaves the zone now and is purged after 31 days', () => {
    const { answer, after } = remove(true);
    expect(answer).toEqual({ name: NAME, isPending: false });
    expect(after).toMatchObject({ outzoneAt: NOW, deleteDate: '2027-04-01' });
    expect(after.statuses).toEqual({ pendingDelete: '', serverHold: '' });
    const held = remove(true, { statuses: { serverHold: 'court' }, holdCauses: ['registry'] }).after;
    expect(held.statuses.serverHold).toBe('court');
    expect(remove(true, { statuses: { serverManualInzone: '' } }).after.statuses).toEqual({
      pendingDelete: '',
      serverManualInzone: '',
    });
  });

  test('success: not verified, the registrant is asked first, for 48 hours', () => {
    const { answer, after, before, request, mails } = remove(false);
    expect(answer).toEqual({ name: NAME, isPending: true });
    expect(after).toEqual({ ...before, statuses: { pendingDeleteConfirmation: '' } });
    expect(request).toEqual({ kind: 'deletion', token, expiresAt: LAPSES });
    expect(mails).toHaveLength(1);
  });

  test.each([['wrong'], [''], [`${CODE} `], [CODE.toUpperCase()], [CODE.slice(1)]])(
    'failure: the Auth-Code "%s", even from the sponsor',
    (code) => {
      for (const statuses of [{}, { pendingDelete: '' }])
        expect(refusalsOf(() => remove(true, { statuses }, code))).toEqual([['wrongCode', 'transferCode']]);
    },
  );

  test('success: the right Auth-Code, also with letters beyond ASCII', () => {
    for (const transferCode of [CODE, 'šokolaad-ž'])
      expect(refusalsOf(() => remove(true, { transferCode }, transferCode))).toEqual([]);
  });

  test('failure: a disputed domain', () => {
    expect(refusalsOf(() => remove(true, { disputed: true }))).toEqual([['statusProhibits', null]]);
  });
});
