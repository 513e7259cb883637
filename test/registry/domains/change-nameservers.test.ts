import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import { type Found, nameserver, refusalsOf, updateOf } from '../../support/decisions.ts';

describe('nameservers of a domain', () => {
  const HOSTS = ['ns1.example.net', 'ns2.example.net'];
  const having = (...hosts: string[]) => ({ nameservers: hosts.map((host) => nameserver(host)) });
  const add = (hosts: string[], domain = having(...HOSTS)) =>
    updateOf(domain, { add: { nameservers: hosts.map((host) => nameserver(host)) } });
  const remove = (hostname: string, domain: Partial<Domain>) =>
    updateOf(domain, { remove: { nameservers: [{ hostname }] } });
  const hostsOf = ({ after }: { after: Domain }) => after.nameservers.map(({ hostname }) => hostname);
  const others = (count: number) => Array.from({ length: count }, (_, index) => `x${index}.example.net`);

  test.each<[string, () => unknown, Found]>([
    ['one alone', () => add(['ns1.example.net'], having()), ['nameserverCount', 'nameservers']],
    ['twelve', () => add(others(10)), ['nameserverCount', 'nameservers']],
    ['one that is there', () => add(['ns1.example.net']), ['nameserverTaken', 'add.nameservers.0.hostname']],
    ['one twice', () => add(['a.ee', 'a.ee']), ['nameserverTaken', 'add.nameservers.1.hostname']],
    [
      'a subordinate host without an address',
      () => add(['a.ee', 'ns.example.ee']),
      ['glueMissing', 'add.nameservers.1'],
    ],
    [
      'removing an absent host',
      () => remove('ns9.example.net', having(...HOSTS)),
      ['bodyObjectMissing', 'remove.nameservers.0'],
    ],
    ['leaving one', () => remove('ns1.example.net', having(...HOSTS)), ['nameserverCount', 'nameservers']],
  ])('failure: %s', (_what, decide, expected) => {
    expect(refusalsOf(decide)).toEqual([expected]);
  });

  test('success: from none to two, up to eleven, one less, all removed', () => {
    expect(hostsOf(add(HOSTS, having()))).toEqual(HOSTS);
    expect(hostsOf(add(others(9)))).toHaveLength(11);
    expect(hostsOf(remove('ns2.example.net', having(...HOSTS, 'ns3.example.net')))).toEqual([
      'ns1.example.net',
      'ns3.example.net',
    ]);
    expect(hostsOf(updateOf(having(...HOSTS), { remove: { nameservers: 'all' } }))).toEqual([]);
  });
});
