import { describe, expect, test } from 'vitest';
import { decideStatusEnd } from '../../../../src/registry/domains/cancel-server-status.ts';
import { deletedDomain } from '../../../../src/registry/domains/delete-domain.ts';
import { withHold, withoutHold } from '../../../../src/registry/domains/rules/hold-causes.ts';
import { renewedDomain } from '../../../../src/registry/domains/renew-domain.ts';
import { decideRestoration } from '../../../../src/registry/domains/restore-domain.ts';
import { decideStatus } from '../../../../src/registry/domains/set-server-status.ts';
import type { HoldCause } from '../../../../src/registry/domains/rules/domain-statuses.ts';
import { contextOf, domainOf, NOW, refusalsOf } from '../../../support/decisions.ts';

const context = contextOf();
const held = (holdCauses: readonly HoldCause[], note = '', outzoneAt: Date | null = null) =>
  domainOf({ statuses: { serverHold: note }, holdCauses, outzoneAt });

describe('the causes of a hold', () => {
  test('success: each is added once, and the hold goes with the last one', () => {
    const both = withHold(withHold(held(['expiry']), 'registry', 'court'), 'expiry');
    expect(both).toMatchObject({ holdCauses: ['expiry', 'registry'], statuses: { serverHold: 'court' } });
    const one = withoutHold(both, 'registry');
    expect(one).toMatchObject({ holdCauses: ['expiry'], statuses: { serverHold: '' } });
    expect(withoutHold(one, 'registry')).toBe(one);
    expect(withoutHold(one, 'expiry')).toMatchObject({ holdCauses: [], statuses: {} });
    expect(withoutHold(both, 'expiry').statuses).toEqual({ serverHold: 'court' });
  });
});

describe('what ends one cause', () => {
  test.each([
    ['expiry alone', held(['expiry'], '', NOW), undefined, []],
    ['the registry, without a note', held(['registry']), '', ['registry']],
    ['the registry on a domain that has expired', held(['registry'], '', NOW), '', ['registry']],
    ['both', held(['expiry', 'registry'], 'court', NOW), 'court', ['registry']],
  ])('success: a renewal and a restore, held by %s', (_what, domain, note, causes) => {
    const restored = decideRestoration(
      { ...domain, statuses: { ...domain.statuses, pendingDelete: '' } },
      context,
    ).after;
    for (const after of [renewedDomain(domain, 12, context), restored]) {
      expect(after.statuses.serverHold).toBe(note);
      expect(after.holdCauses).toEqual(causes);
    }
  });

  test('success: a deletion adds its own to that of the registry', () => {
    const deleted = deletedDomain(held(['registry']), context);
    expect(deleted).toMatchObject({ holdCauses: ['expiry', 'registry'], outzoneAt: NOW });
    expect(renewedDomain(deleted, 12, context)).toMatchObject({ statuses: { serverHold: '' } });
  });
});

describe('the operator', () => {
  const hold = (domain: Parameters<typeof decideStatus>[0], note = '') =>
    decideStatus(domain, { status: 'serverHold', note });
  const cancel = (domain: Parameters<typeof decideStatus>[0]) =>
    decideStatusEnd(domain, 'serverHold', context);
  const typesOf = ({ messages = [] }: ReturnType<typeof hold>) => messages.map(({ type }) => type);

  test('success: holds for the registry, also what expiry holds, and says so once', () => {
    expect(hold(domainOf()).after).toMatchObject({ holdCauses: ['registry'], statuses: { serverHold: '' } });
    const second = hold(held(['expiry'], '', NOW));
    expect(second.after.holdCauses).toEqual(['expiry', 'registry']);
    expect(typesOf(second)).toEqual(['status_set']);
    expect(typesOf(hold(second.after))).toEqual([]);
  });

  test('success: releases what the registry holds', () => {
    const released = cancel(held(['registry'], 'court'));
    expect(released.after).toMatchObject({ holdCauses: [], statuses: {} });
    expect(typesOf(released)).toEqual(['status_cancelled']);
  });

  test('success: what its dates have taken out of the zone stays held, by expiry', () => {
    const kept = cancel(held(['expiry', 'registry'], 'court', NOW));
    expect(kept.after).toMatchObject({ holdCauses: ['expiry'], statuses: { serverHold: '' } });
    expect(typesOf(kept)).toEqual([]);
    const expired = cancel(held(['registry'], 'court', NOW));
    expect(expired.after).toMatchObject({ holdCauses: ['expiry'], statuses: { serverHold: '' } });
    expect(typesOf(expired)).toEqual(['outzoned']);
  });

  test('failure: there is no hold, or expiry alone holds', () => {
    expect(refusalsOf(() => cancel(domainOf()))).toEqual([['statusNotSet', null]]);
    expect(refusalsOf(() => cancel(held(['expiry'], '', NOW)))).toEqual([['heldByExpiry', null]]);
  });

  test('success: serverManualInzone takes the place of the hold by expiry', () => {
    const kept = decideStatus(held(['expiry'], '', NOW), { status: 'serverManualInzone', note: '' });
    expect(kept.after.statuses).toEqual({ serverManualInzone: '' });
    expect(kept.after.holdCauses).toEqual([]);
  });

  test('failure: serverManualInzone where the registry holds', () => {
    for (const causes of [['registry'], ['expiry', 'registry']] as const)
      expect(
        refusalsOf(() => decideStatus(held(causes, '', NOW), { status: 'serverManualInzone', note: '' })),
      ).toEqual([['statusContradicted', null]]);
  });
});
