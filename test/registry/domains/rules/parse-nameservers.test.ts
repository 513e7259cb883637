import { expect, test } from 'vitest';
import { ee } from '../../../../src/policy/ee.ts';
import {
  checkDuplicateNameservers,
  checkGlue,
  checkNameserverCount,
  type NameserverText,
  parseHostname,
  parseNameserver,
} from '../../../../src/registry/domains/rules/parse-nameservers.ts';
import { type Found, nameAndPlace, nameserver, taken, wrongIn } from '../../../support/decisions.ts';

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`);

const REFUSED: readonly [string, NameserverText, Found][] = [
  ['no name', {}, ['fieldMissing', 'next.hostname']],
  ['a name of spaces', { hostname: '  ' }, ['fieldMissing', 'next.hostname']],
  ['a name without a dot', { hostname: 'localhost' }, ['wrongSyntax', 'next.hostname']],
  ['an address instead of a name', { hostname: '192.0.2.1' }, ['wrongSyntax', 'next.hostname']],
  ['a top level of digits', { hostname: 'ns.example.1' }, ['wrongSyntax', 'next.hostname']],
  ['an underscore', { hostname: 'b_c.example.net' }, ['wrongSyntax', 'next.hostname']],
  [
    'hyphens where punycode has its own',
    { hostname: 'ab--cd.example.net' },
    ['wrongSyntax', 'next.hostname'],
  ],
  ['two final dots', { hostname: 'a.example.net..' }, ['wrongSyntax', 'next.hostname']],
  [
    'an IPv6 address among IPv4',
    { hostname: 'a.example.net', ipv4: ['192.0.2.1', '2001:db8::1'] },
    ['wrongSyntax', 'next.ipv4.1'],
  ],
  [
    'an IPv4 address beyond 255',
    { hostname: 'a.example.net', ipv4: ['192.0.2.256'] },
    ['wrongSyntax', 'next.ipv4.0'],
  ],
  [
    'an IPv4 address among IPv6',
    { hostname: 'a.example.net', ipv6: ['192.0.2.1'] },
    ['wrongSyntax', 'next.ipv6.0'],
  ],
  ['a malformed IPv6 address', { hostname: 'a.example.net', ipv6: ['::g'] }, ['wrongSyntax', 'next.ipv6.0']],
  [
    'an IPv6 address of one link',
    { hostname: 'a.example.net', ipv6: ['fe80::1%eth0'] },
    ['wrongSyntax', 'next.ipv6.0'],
  ],
  ['21 addresses', { hostname: 'a.example.net', ipv4: addresses(21) }, ['outOfRange', 'next.ipv4']],
];
test.each(REFUSED)('failure: %s', (_what, text, expected) => {
  expect(wrongIn(parseNameserver(text, ['next']))).toEqual([expected]);
});

test.each([
  ['NS.Example.NET', 'ns.example.net'],
  [' ns.example.net. ', 'ns.example.net'],
  ['ns.xn--nide-loa.ee', 'ns.näide.ee'],
  ['NS.NÄIDE.example.', 'ns.näide.example'],
])('success: the hostname %s', (text, hostname) => {
  expect(parseHostname(text)).toBe(hostname);
});

test('success: 20 addresses; each normalised, and once', () => {
  expect(
    taken(parseNameserver({ hostname: 'a.example.net', ipv4: addresses(20) }, ['next'])).ipv4,
  ).toHaveLength(20);
  const doubled = { hostname: 'a.example.net', ipv6: ['2001:DB8:0:0::1', '2001:db8::1'] };
  expect(taken(parseNameserver(doubled, ['next'])).ipv6).toEqual(['2001:db8::1']);
});

test('failure: a host of the domain without an address', () => {
  const missing = (hostname: string, ...given: string[]) =>
    checkGlue(
      [nameserver('ns.example.net'), nameserver(hostname, given)],
      'example.ee',
      ['nameservers'],
      ee,
    ).map(nameAndPlace);
  for (const own of ['ns.example.ee', 'a.b.example.ee', 'example.ee']) {
    expect(missing(own)).toEqual([['glueMissing', 'nameservers.1']]);
    expect(missing(own, '192.0.2.1')).toEqual([]);
  }
  expect(missing('ns.another-example.ee')).toEqual([]);
  expect(
    checkGlue(
      [{ hostname: 'ns.example.ee', ipv4: [], ipv6: ['2001:db8::1'] }],
      'example.ee',
      ['nameservers'],
      ee,
    ),
  ).toEqual([]);
});

const glue = (hostname: string, address: string, policy = ee) =>
  checkGlue(
    [{ hostname, ipv4: [], ipv6: [], [address.includes(':') ? 'ipv6' : 'ipv4']: [address] }],
    'example.ee',
    ['nameservers'],
    policy,
  ).map(({ code, at }) => [code, at?.join('.')]);

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.1.1',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'febf::1',
  'ff02::1',
  '::ffff:7f00:1',
  '::ffff:c000:201',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  'fd00::1',
  'fc00::1',
  'fec0::1',
])('failure: %s as glue', (address) => {
  const field = address.includes(':') ? 'nameservers.0.ipv6.0' : 'nameservers.0.ipv4.0';
  expect(glue('ns.example.ee', address)).toEqual([[2005, field]]);
  expect(glue('ns.example.net', address)).toEqual([]);
});

test.each(['192.0.2.1', '172.32.0.1', '11.0.0.1', '100.128.0.1', '2001:db8::1', '2a00::1'])(
  'success: %s as glue',
  (address) => {
    expect(glue('ns.example.ee', address)).toEqual([]);
  },
);

test('success: a private address as glue, where the policy allows it; never loopback', () => {
  const lenient = { ...ee, domains: { ...ee.domains, glueMayBePrivate: true } };
  for (const address of ['10.0.0.1', 'fd00::1']) expect(glue('ns.example.ee', address, lenient)).toEqual([]);
  expect(glue('ns.example.ee', '127.0.0.1', lenient)).toEqual([[2005, 'nameservers.0.ipv4.0']]);
});

test('failure: a host twice, among existing or new ones', () => {
  const twice = (added: string[], present: string[]) =>
    checkDuplicateNameservers(
      added.map((hostname) => nameserver(hostname)),
      present.map((hostname) => ({ hostname })),
      ['nameservers'],
    ).map(nameAndPlace);
  expect(twice(['a.ee', 'b.ee', 'a.ee'], [])).toEqual([['nameserverTaken', 'nameservers.2.hostname']]);
  expect(twice(['a.ee', 'b.ee'], ['a.ee'])).toEqual([['nameserverTaken', 'nameservers.0.hostname']]);
  expect(twice(['a.ee', 'b.ee'], ['c.ee'])).toEqual([]);
});

test.each([
  [0, []],
  [1, ['nameserverCount']],
  [2, []],
  [11, []],
  [12, ['nameserverCount']],
])('success: with %i nameservers: %j', (count, expected) => {
  expect(checkNameserverCount(count, ee).map(({ name }) => name)).toEqual(expected);
});
