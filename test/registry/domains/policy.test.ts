import { expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { checkContactCounts } from '../../../src/registry/domains/rules/contact-rules.ts';
import type { ContactInfo, Domain } from '../../../src/registry/domains/domain.ts';
import { checkRenewal } from '../../../src/registry/domains/renew-domain.ts';
import type { Context } from '../../../src/registry/operation.ts';

const now = new Date('2027-03-01T10:00:00Z');
const context = (domains: Partial<Policy['domains']>): Context => ({
  principal: {
    username: 'u',
    registrarId: 1,
    registrarCode: 'R',
    registrarName: 'R',
    roles: ['epp'],
  },
  now,
  requestId: 'r',
  dryRun: false,
  publicUrl: 'https://registry.example',
  policy: { ...ee, domains: { ...ee.domains, ...domains } },
});
const contact = (ident: ContactInfo['ident']): ContactInfo => ({
  id: 1,
  code: 'c',
  name: 'Mari',
  email: 'mari@example.ee',
  ident,
});
const organisation = contact({ ident: '12345678', type: 'org', countryCode: 'EE' });
const grownUp = contact({ ident: '60001019906', type: 'priv', countryCode: 'EE' });
const child = contact({ ident: '2015-01-01', type: 'birthday', countryCode: 'US' });
const codes = (refusals: readonly { code: number }[]) => refusals.map(({ code }) => code);

test('success: another country may require an admin contact of organisations and minors', () => {
  const missing = (registrant: ContactInfo, adminRequired: boolean) =>
    codes(checkContactCounts({ contacts: [], registrant }, () => ['admins'], context({ adminRequired })));
  expect(missing(organisation, true)).toEqual([2306]);
  expect(missing(child, true)).toEqual([2306]);
  expect(missing(grownUp, true)).toEqual([]);
  expect(missing(organisation, false)).toEqual([]);
  const contacts = [{ id: 2, code: 'a', name: 'A', email: 'a@example.ee', role: 'admin' as const }];
  expect(
    checkContactCounts(
      { contacts, registrant: organisation },
      () => ['admins'],
      context({ adminRequired: true }),
    ),
  ).toEqual([]);
});

test('success: another country may open renewal some days before expiry', () => {
  const domain = (expireTime: string) => ({ expireTime: new Date(expireTime), statuses: {} }) as Domain;
  const early = (expireTime: string, renewalWindowDays: number | undefined) =>
    codes(checkRenewal(domain(expireTime), 12, 900n, context({ renewalWindowDays })));
  expect(early('2027-06-30T00:00:00Z', 90)).toEqual([2105]);
  expect(early('2027-05-29T00:00:00Z', 90)).toEqual([]);
  expect(early('2027-06-30T00:00:00Z', undefined)).toEqual([]);
});
