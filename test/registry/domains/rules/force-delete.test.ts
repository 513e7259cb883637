import { describe, expect, test } from 'vitest';
import { ee } from '../../../../src/policy/ee.ts';
import { withOwnStatus, withoutOwnStatus } from '../../../../src/registry/domains/change-status.ts';
import type { Domain, ForceDelete } from '../../../../src/registry/domains/domain.ts';
import {
  forceDeleted,
  heldByForceDelete,
  withoutForceDelete,
} from '../../../../src/registry/domains/rules/force-delete.ts';
import type { Statuses } from '../../../../src/registry/domains/rules/domain-statuses.ts';

const domain = (expiry: string, statuses: Statuses = {}): Domain => ({
  id: 1,
  version: 1,
  name: 'example.ee',
  zone: 'ee',
  registrarId: 1,
  transferCode: 'x'.repeat(32),
  registrant: {
    id: 1,
    code: 'c',
    name: 'Mari',
    email: 'mari@example.ee',
    ident: { ident: '60001019906', type: 'priv', countryCode: 'EE' },
  },
  createdAt: new Date('2009-01-01T00:00:00Z'),
  expireTime: new Date(expiry),
  outzoneAt: null,
  deleteDate: null,
  purgeAt: null,
  remindedAt: null,
  forceDelete: null,
  statuses,
  holdCauses: [],
  reference: null,
  disputed: false,
  contacts: [],
  nameservers: [],
  dnsKeys: [],
});
const order = (kind: ForceDelete['kind'], expiry: string, today: string) =>
  forceDeleted(
    domain(expiry),
    { kind, reason: 'no such company' },
    { now: new Date(`${today}T10:00:00+03:00`), policy: ee },
  ).forceDelete;

describe('the dates of a force delete', () => {
  test.each([
    ['fast track', '2012-08-05T00:00:00+03:00', '2010-07-05', '2010-07-06', '2010-08-20'],
    ['fast track', '2010-07-20T00:00:00+03:00', '2010-07-05', '2010-07-06', '2010-08-20'],
    ['soft', '2012-08-05T00:00:00+03:00', '2010-07-05', '2010-08-05', '2010-09-19'],
    ['soft', '2011-08-05T00:00:00+03:00', '2010-07-05', '2010-08-05', '2010-09-19'],
    ['soft', '2013-02-28T00:00:00+02:00', '2012-02-20', '2012-02-28', '2012-04-13'],
    ['soft', '2011-06-05T00:00:00+03:00', '2010-07-05', null, null],
    // by years of 365 days, ten of which are three days short, it would have begun yesterday
    ['soft', '2020-07-04T00:00:00+03:00', '2010-07-05', '2011-07-04', '2011-08-18'],
    ['soft', '2020-07-05T00:00:00+03:00', '2010-07-05', '2010-07-05', '2010-08-19'],
    ['soft', '2020-07-06T00:00:00+03:00', '2010-07-05', '2010-07-06', '2010-08-20'],
    ['soft', '2011-07-05T00:00:00+03:00', '2010-07-05', '2010-07-05', '2010-08-19'],
    ['soft', '2011-07-04T00:00:00+03:00', '2010-07-05', null, null],
    ['soft', '2016-02-29T00:00:00+02:00', '2011-02-28', '2011-02-28', '2011-04-14'],
    ['soft', '2016-02-29T00:00:00+02:00', '2011-03-01', '2012-02-29', '2012-04-14'],
    ['soft', '2013-02-28T00:00:00+02:00', '2012-02-29', null, null],
    ['soft', '2010-06-05T00:00:00+03:00', '2010-07-05', null, null],
  ] as const)(
    'success: %s, expiry %s, ordered on %s: from %s, deleted on %s',
    (kind, expiry, today, start, date) => {
      expect(order(kind, expiry, today)).toMatchObject({ kind, start, date, warned: false, held: false });
    },
  );
});

describe('the statuses of a force delete', () => {
  const moment = { now: new Date('2010-07-05T10:00:00+03:00'), policy: ee };
  const ordered = (statuses: Statuses) =>
    forceDeleted(domain('2012-08-05T00:00:00+03:00', statuses), { kind: 'soft', reason: 'x' }, moment);
  const held = (now: Domain) => heldByForceDelete(now, { ...(now.forceDelete as ForceDelete), held: true });
  const three = ['serverForceDelete', 'serverRenewProhibited', 'serverTransferProhibited'];

  test('success: three are set; pending statuses and prohibitions of the registrar end', () => {
    const { statuses } = ordered({ pendingUpdate: '', clientDeleteProhibited: 'mine', clientHold: '' });
    expect(Object.keys(statuses).toSorted()).toEqual(['clientHold', ...three]);
  });

  test('success: lifted, everything is as before except for pending statuses', () => {
    const before = { pendingUpdate: '', clientDeleteProhibited: 'mine', serverRenewProhibited: 'a note' };
    const lifted = withoutForceDelete(ordered(before));
    expect(lifted.statuses).toEqual({ clientDeleteProhibited: 'mine', serverRenewProhibited: 'a note' });
    expect(lifted.forceDelete).toBeNull();
  });

  test('success: the hold of the force delete ends with it, an earlier one stays', () => {
    expect(held(ordered({})).statuses).toHaveProperty('clientHold');
    expect(withoutForceDelete(held(ordered({}))).statuses).toEqual({});
    expect(withoutForceDelete(held(ordered({ clientHold: '' }))).statuses).toEqual({ clientHold: '' });
  });

  test('success: statuses set meanwhile stay when it ends, with their note', () => {
    const noted = withOwnStatus(ordered({}), 'serverTransferProhibited', 'a court order');
    expect(withoutForceDelete(noted).statuses).toEqual({ serverTransferProhibited: 'a court order' });
    const own = withOwnStatus(ordered({}), 'clientHold');
    expect(withoutForceDelete(held(own)).statuses).toEqual({ clientHold: '' });
    const adopted = withOwnStatus(held(ordered({})), 'clientHold');
    expect(withoutForceDelete(adopted).statuses).toEqual({ clientHold: '' });
  });

  test('failure: statuses removed meanwhile do not return when it ends', () => {
    const free = withoutOwnStatus(ordered({ clientHold: '' }), 'clientHold');
    expect(withoutForceDelete(free).statuses).toEqual({});
    const byHand = withOwnStatus(free, 'serverManualInzone', 'by hand');
    expect(withoutForceDelete(byHand).statuses).toEqual({ serverManualInzone: 'by hand' });
    const cancelled = withoutOwnStatus(
      ordered({ serverTransferProhibited: 'a note' }),
      'serverTransferProhibited',
    );
    expect(withoutForceDelete(cancelled).statuses).toEqual({});
    const setAgain = withOwnStatus(withoutOwnStatus(held(ordered({})), 'clientHold'), 'serverManualInzone');
    expect(withoutForceDelete(setAgain).statuses).toEqual({ serverManualInzone: '' });
  });

  test('success: ordered again, it can still be lifted to the state before the first', () => {
    const again = forceDeleted(
      ordered({ clientDeleteProhibited: '' }),
      { kind: 'fast track', reason: 'y' },
      moment,
    );
    expect(withoutForceDelete(again).statuses).toEqual({ clientDeleteProhibited: '' });
  });
});
