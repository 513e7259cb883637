import { expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { type DomainText, parseNewDomain } from '../../../src/registry/domains/parse-new-domain.ts';
import { type Found, taken, wrongIn } from '../../support/decisions.ts';
import { hosts, KEY } from '../../support/domains.ts';

const parse = (changes: Partial<DomainText>) =>
  parseNewDomain({ name: 'example.ee', registrant: 'mari', period: 1, period_unit: 'y', ...changes }, ee);
const NAMESERVERS = 'domain.nameservers_attributes';
const withAddresses = (addresses: object) => ({
  nameservers_attributes: [{ hostname: 'a.example.net', ...addresses }, { hostname: 'b.example.net' }],
});

const REFUSED: readonly [string, Partial<DomainText>, Found][] = [
  ['a name of no zone', { name: 'example.lv' }, ['nameInvalid', 'domain.name']],
  ['a name below a name', { name: 'a.b.ee' }, ['nameInvalid', 'domain.name']],
  ['the top zone', { name: 'ee' }, ['nameBlocked', 'domain.name']],
  ['the top zone in another spelling', { name: ' EE ' }, ['nameBlocked', 'domain.name']],
  ['a transfer code of 7 characters', { transfer_code: '1234567' }, ['wrongSyntax', 'domain.transfer_code']],
  [
    'a transfer code of 65 characters',
    { transfer_code: 'x'.repeat(65) },
    ['wrongSyntax', 'domain.transfer_code'],
  ],
  [
    'a transfer code of 4 characters that are pairs',
    { transfer_code: '🔑'.repeat(4) },
    ['wrongSyntax', 'domain.transfer_code'],
  ],
  ['a transfer code with a space', { transfer_code: '1234 5678' }, ['wrongSyntax', 'domain.transfer_code']],
  [
    'a transfer code with a NUL',
    { transfer_code: '1234\u00005678' },
    ['wrongSyntax', 'domain.transfer_code'],
  ],
  [
    'a nameserver with a bad name',
    { nameservers_attributes: hosts('ns1.example.net', 'ns_2.example.net') },
    ['wrongSyntax', `${NAMESERVERS}.1.hostname`],
  ],
  [
    'a nameserver without a name',
    { nameservers_attributes: [{ ipv4: [] }, { hostname: 'a.example.net' }] },
    ['fieldMissing', `${NAMESERVERS}.0.hostname`],
  ],
  [
    'a bad IPv4 address',
    withAddresses({ ipv4: ['192.0.2.256'] }),
    ['wrongSyntax', `${NAMESERVERS}.0.ipv4.0`],
  ],
  ['a bad IPv6 address', withAddresses({ ipv6: ['192.0.2.1'] }), ['wrongSyntax', `${NAMESERVERS}.0.ipv6.0`]],
  [
    'a key with flag 0',
    { dnskeys_attributes: [{ ...KEY, flags: '0' }] },
    ['wrongSyntax', 'domain.dnskeys_attributes.0.flags'],
  ],
];
test.each(REFUSED)('failure: %s', (_what, changes, expected) => {
  expect(wrongIn(parse(changes))).toEqual([expected]);
});

test('failure: all that is wrong, in the order of the document', () => {
  const wrong = parse({
    ...{ name: 'a.b.ee', transfer_code: 'short', nameservers_attributes: hosts('a_b', 'c_d') },
    dnskeys_attributes: [KEY, { ...KEY, alg: '4' }],
  });
  expect(wrongIn(wrong)).toEqual([
    ['nameInvalid', 'domain.name'],
    ['wrongSyntax', 'domain.transfer_code'],
    ['wrongSyntax', `${NAMESERVERS}.0.hostname`],
    ['wrongSyntax', `${NAMESERVERS}.1.hostname`],
    ['wrongSyntax', 'domain.dnskeys_attributes.1.alg'],
  ]);
});

test.each([
  [3, 'm', 3],
  [4, 'm', 4],
  [12, 'm', 12],
  [1, 'y', 12],
  [10, 'y', 120],
  [11, 'y', 132],
  [0, 'y', 0],
])('success: a period of %d%s is %d months', (period, period_unit, months) => {
  expect(taken(parse({ period, period_unit }))).toMatchObject({ months });
});

test.each([['12345678'], ['x'.repeat(64)], ['🔑'.repeat(8)], ['õunapuu-äike']])(
  'success: the transfer code %s',
  (transfer_code) => {
    expect(taken(parse({ transfer_code })).transferCode).toBe(transfer_code);
  },
);

test('success: names, hostnames and addresses are normalised', () => {
  const value = taken(
    parse({
      name: ' NÄIDE.ee ',
      nameservers_attributes: [
        { hostname: 'NS1.NÄIDE.ee.', ipv4: ['192.0.2.1'], ipv6: ['2001:DB8::1'] },
        { hostname: 'xn--nide-loa.ee' },
      ],
    }),
  );
  expect(value.name).toEqual({ unicode: 'näide.ee', ascii: 'xn--nide-loa.ee', zone: 'ee' });
  expect(value.nameservers).toEqual([
    { hostname: 'ns1.näide.ee', ipv4: ['192.0.2.1'], ipv6: ['2001:db8::1'] },
    { hostname: 'näide.ee', ipv4: [], ipv6: [] },
  ]);
});
