import { describe, expect, test } from 'vitest';
import type { ContactInfo, Domain, ForceDelete } from '../../../src/registry/domains/domain.ts';
import type { DomainUpdate } from '../../../src/registry/domains/update-domain.ts';
import {
  contextOf,
  FIRM,
  JAAN,
  linked,
  MARI,
  MARI_AGAIN,
  refusalsOf,
  updateOf,
  withPolicy,
} from '../../support/decisions.ts';

const NAME = 'example.ee';
/** 48 hours later. */
const LAPSES = new Date('2027-03-03T10:00:00Z');

describe('a change of a domain', () => {
  const update = (
    change: Omit<DomainUpdate, 'name'>,
    newRegistrant?: ContactInfo,
    domain: Partial<Domain> = {},
    context = contextOf(),
  ) => updateOf(domain, change, { own: newRegistrant ? [newRegistrant] : [], context });
  const to = ({ code }: ContactInfo, verified: boolean) => ({ registrant: { code, verified } });

  test('success: a transfer code alone', () => {
    const { answer, after, before } = update({ transferCode: 'chosen-by-us' });
    expect([answer, after]).toMatchObject([
      { name: NAME, isPending: false },
      { ...before, transferCode: 'chosen-by-us' },
    ]);
  });

  test('success: a verified change is made at once, with a new transfer code', () => {
    const { answer, after, request } = update(to(JAAN, true), JAAN);
    expect([answer, request]).toMatchObject([{ name: NAME, isPending: false }, undefined]);
    expect(after).toMatchObject({ registrant: JAAN, transferCode: 'generated-code' });
    expect(update({ ...to(JAAN, true), transferCode: 'chosen-by-us' }, JAAN).after.transferCode).toBe(
      'chosen-by-us',
    );
  });

  test('success: the same holder under another contact needs no confirmation', () => {
    const { answer, after } = update(to(MARI_AGAIN, false), MARI_AGAIN);
    expect([answer, after.registrant]).toMatchObject([{ name: NAME, isPending: false }, MARI_AGAIN]);
  });

  test.each<[string, Partial<ContactInfo['ident']>]>([
    ['code', { ident: '37605030299' }],
    ['type', { type: 'org' }],
    ['country', { countryCode: 'LV' }],
  ])('success: an identification of another %s is another holder', (_what, difference) => {
    const other = { ...MARI_AGAIN, ident: { ...MARI.ident, ...difference } };
    expect(update(to(other, false), other).answer).toMatchObject({ name: NAME, isPending: true });
  });

  test('success: the present registrant again changes nothing but the code that was sent', () => {
    const { after, before } = update(to(MARI, false), MARI);
    expect(after).toEqual(before);
    expect(update({ ...to(MARI, false), transferCode: 'chosen-by-us' }, MARI).after.transferCode).toBe(
      'chosen-by-us',
    );
  });

  test('success: a change to another holder is confirmed first, within 48 hours; nothing is applied', () => {
    const { answer, after, before, request, mails } = update(
      { ...to(JAAN, false), transferCode: 'for-the-new-one' },
      JAAN,
    );
    expect(answer).toMatchObject({ name: NAME, isPending: true });
    expect(after).toEqual({ ...before, statuses: { pendingUpdate: '' } });
    const kind = 'registrant change';
    expect(request).toEqual({
      kind,
      newRegistrantId: JAAN.id,
      newTransferCode: 'for-the-new-one',
      token: 'a-token',
      expiresAt: LAPSES,
    });
    expect(mails).toHaveLength(2);
  });

  test('success: a force delete ends with the change of its registrant, and the registrar is notified', () => {
    const forceDelete: ForceDelete = {
      kind: 'soft',
      reason: 'x',
      start: null,
      date: null,
      added: ['serverForceDelete'],
      taken: {},
      warned: false,
      held: false,
    };
    const change = update(to(JAAN, true), JAAN, { forceDelete, statuses: { serverForceDelete: '' } });
    expect(change.after).toMatchObject({ forceDelete: null, statuses: {} });
    expect(change.messages?.map(({ type }) => type)).toEqual(['force_delete_lifted']);
    expect(update(to(JAAN, true), JAAN).messages).toEqual([]);
  });

  test('failure: an unknown registrant', () => {
    expect(refusalsOf(() => update(to(JAAN, true), undefined))).toEqual([
      ['bodyObjectMissing', 'registrant'],
    ]);
  });

  test('failure: serverRegistrantChangeProhibited, unless the holder stays the same', () => {
    const statuses = { serverRegistrantChangeProhibited: '' };
    for (const verified of [true, false])
      expect(refusalsOf(() => update(to(JAAN, verified), JAAN, { statuses }))).toEqual([
        ['statusProhibits', null],
      ]);
    expect(refusalsOf(() => update(to(MARI_AGAIN, false), MARI_AGAIN, { statuses }))).toEqual([]);
  });

  test('failure: a disputed domain', () => {
    expect(refusalsOf(() => update({ transferCode: 'new-code' }, undefined, { disputed: true }))).toEqual([
      ['statusProhibits', null],
    ]);
  });

  test('failure: an organisation without an admin, where the policy requires one', () => {
    const required = withPolicy({ adminRequired: true });
    const contacts = [linked(MARI, 'admin')];
    expect(refusalsOf(() => update(to(FIRM, true), FIRM, {}, required))).toEqual([
      ['adminRequired', 'registrant'],
    ]);
    expect(refusalsOf(() => update(to(FIRM, true), FIRM, { contacts }, required))).toEqual([]);
    expect(refusalsOf(() => update(to(FIRM, true), FIRM))).toEqual([]);
  });
});
