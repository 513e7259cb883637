import { describe, expect, test } from 'vitest';
import {
  addNameservers,
  removeNameserver,
  removeNameservers,
} from '../../../src/registry/domains/change-nameservers.ts';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import { contextOf, type Found, foundDomain, nameserver, refusalsOf } from '../../support/decisions.ts';

const NAME = 'example.ee';

describe('nameservers of a domain', () => {
  const HOSTS = ['ns1.example.net', 'ns2.example.net'];
  const having = (...hosts: string[]) => foundDomain({ nameservers: hosts.map((host) => nameserver(host)) });
  const add = (hosts: string[], found = having(...HOSTS)) =>
    addNameservers.decide(
      found,
      { name: NAME, nameservers: hosts.map((host) => nameserver(host)) },
      contextOf(),
    );
  const remove = (hostname: string | undefined, found: ReturnType<typeof having>) =>
    removeNameserver.decide(found, { name: NAME, hostname }, contextOf());
  const hostsOf = ({ after }: { after: Domain }) => after.nameservers.map(({ hostname }) => hostname);
  const others = (count: number) => Array.from({ length: count }, (_, index) => `x${index}.example.net`);

  test.each<[string, () => unknown, Found]>([
    ['one alone', () => add(['ns1.example.net'], having()), ['nameserverCount', 'nameservers']],
    ['twelve', () => add(others(10)), ['nameserverCount', 'nameservers']],
    ['one that is there', () => add(['ns1.example.net']), ['nameserverTaken', 'nameservers.0.hostname']],
    ['one twice', () => add(['a.ee', 'a.ee']), ['nameserverTaken', 'nameservers.1.hostname']],
    [
      'a subordinate host without an address',
      () => add(['a.ee', 'ns.example.ee']),
      ['glueMissing', 'nameservers.1'],
    ],
    ['removing an absent host', () => remove('ns9.example.net', having(...HOSTS)), ['objectMissing', null]],
    ['removing a malformed name', () => remove(undefined, having(...HOSTS)), ['objectMissing', null]],
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
    const none = removeNameservers.decide(having(...HOSTS), { name: NAME }, contextOf());
    expect(hostsOf(none)).toEqual([]);
  });
});
