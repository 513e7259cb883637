import { expect, test } from 'vitest';
import { keyIn, newDomainIn } from '../../../../src/doors/registrar-api/read-objects.ts';
import { ee } from '../../../../src/policy/ee.ts';
import {
  type NewDomainText,
  parseNewDomain,
} from '../../../../src/registry/domains/rules/parse-new-domain.ts';
import { type Found, taken, wrongIn } from '../../../support/decisions.ts';
import { hosts, KEY as SENT_KEY } from '../../../support/domains.ts';

const KEY = keyIn(SENT_KEY);

const parse = (changes: Partial<NewDomainText>) =>
  parseNewDomain({ name: 'example.ee', registrant: 'mari', months: 12, ...changes }, ee);
const NAMESERVERS = 'nameservers';
const withAddresses = (addresses: object) => ({
  nameservers: [{ hostname: 'a.example.net', ...addresses }, { hostname: 'b.example.net' }],
});

const REFUSED: readonly [string, Partial<NewDomainText>, Found][] = [
  ['a name of no zone', { name: 'example.lv' }, ['nameInvalid', 'name']],
  ['a name below a name', { name: 'a.b.ee' }, ['nameInvalid', 'name']],
  ['the top zone', { name: 'ee' }, ['nameBlocked', 'name']],
  ['the top zone in another spelling', { name: ' EE ' }, ['nameBlocked', 'name']],
  ['a transfer code of 7 characters', { transferCode: '1234567' }, ['wrongSyntax', 'transferCode']],
  ['a transfer code of 65 characters', { transferCode: 'x'.repeat(65) }, ['wrongSyntax', 'transferCode']],
  ...[' 12345678', '12345678 ', '1234\t5678', '1234\u007f5678', '1234\u00a05678', 'õunapuu-äike'].map(
    (transferCode): [string, Partial<NewDomainText>, Found] => [
      `the transfer code ${JSON.stringify(transferCode)}`,
      { transferCode },
      ['wrongSyntax', 'transferCode'],
    ],
  ),
  ['a transfer code with a NUL', { transferCode: '1234\u00005678' }, ['wrongSyntax', 'transferCode']],
  [
    'a nameserver with a bad name',
    { nameservers: hosts('ns1.example.net', 'ns_2.example.net') },
    ['wrongSyntax', `${NAMESERVERS}.1.hostname`],
  ],
  [
    'a nameserver without a name',
    { nameservers: [{ ipv4: [] }, { hostname: 'a.example.net' }] },
    ['fieldMissing', `${NAMESERVERS}.0.hostname`],
  ],
  [
    'a bad IPv4 address',
    withAddresses({ ipv4: ['192.0.2.256'] }),
    ['wrongSyntax', `${NAMESERVERS}.0.ipv4.0`],
  ],
  ['a bad IPv6 address', withAddresses({ ipv6: ['192.0.2.1'] }), ['wrongSyntax', `${NAMESERVERS}.0.ipv6.0`]],
  ['a key with flag 0', { dnsKeys: [{ ...KEY, flags: '0' }] }, ['wrongSyntax', 'dnsKeys.0.flags']],
];
test.each(REFUSED)('failure: %s', (_what, changes, expected) => {
  expect(wrongIn(parse(changes))).toEqual([expected]);
});

test('failure: all that is wrong, in the order of the document', () => {
  const wrong = parse({
    name: 'a.b.ee',
    transferCode: 'short',
    nameservers: hosts('a_b', 'c_d'),
    dnsKeys: [KEY, { ...KEY, alg: '4' }],
  });
  expect(wrongIn(wrong)).toEqual([
    ['nameInvalid', 'name'],
    ['wrongSyntax', 'transferCode'],
    ['wrongSyntax', `${NAMESERVERS}.0.hostname`],
    ['wrongSyntax', `${NAMESERVERS}.1.hostname`],
    ['wrongSyntax', 'dnsKeys.1.alg'],
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
  expect(newDomainIn({ period, period_unit })).toMatchObject({ months });
});

test.each([
  ['12345678'],
  ['x'.repeat(64)],
  ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
  ['1234 5678'],
  ['a  b  c  d'],
])('success: the transfer code %s', (transferCode) => {
  expect(taken(parse({ transferCode })).transferCode).toBe(transferCode);
});

test('success: names, hostnames and addresses are normalised', () => {
  const value = taken(
    parse({
      name: ' NÄIDE.ee ',
      nameservers: [
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
