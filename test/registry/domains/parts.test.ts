import { describe, expect, test } from 'vitest';
import {
  addContacts,
  type NamedContact,
  removeContacts,
} from '../../../src/registry/domains/change-contacts.ts';
import { removeHold, setHold } from '../../../src/registry/domains/change-hold.ts';
import { addKeys, removeKeys } from '../../../src/registry/domains/change-keys.ts';
import {
  addNameservers,
  removeNameserver,
  removeNameservers,
} from '../../../src/registry/domains/change-nameservers.ts';
import type { ContactRole, Domain } from '../../../src/registry/domains/domain.ts';
import {
  CHILD,
  contextOf,
  type Found,
  FIRM,
  foundDomain,
  JAAN,
  linked,
  MARI,
  nameserver,
  persons,
  refusalsOf,
  signedKey,
  withPolicy,
} from '../../support/decisions.ts';

const NAME = 'example.ee';
const many = persons(11);
const named = (role: ContactRole, ...codes: string[]): NamedContact[] =>
  codes.map((code, index) => ({ code, role, field: `contacts.${index}` }));

describe('contacts of a domain', () => {
  const add = (contacts: NamedContact[], domain: Partial<Domain> = {}) =>
    addContacts.decide(
      { ...foundDomain(domain), own: [MARI, JAAN, FIRM, CHILD, ...many] },
      { name: NAME, contacts },
      contextOf(),
    );
  const remove = (contacts: NamedContact[], domain: Partial<Domain>, context = contextOf()) =>
    removeContacts.decide(foundDomain(domain), { name: NAME, contacts }, context);
  const rolesOf = ({ after }: { after: Domain }) => after.contacts.map(({ code, role }) => `${role} ${code}`);

  const REFUSED: readonly [string, NamedContact[], Found][] = [
    ['an unknown one', named('tech', 'mari', 'nobody'), ['bodyObjectMissing', 'contacts.1']],
    ['one twice', named('tech', 'mari', 'MARI'), ['contactTwice', 'contacts.1']],
    ['an organisation as admin', named('admin', 'mari', 'firm'), ['adminNotPerson', 'contacts.1']],
    ['a minor as admin', named('admin', 'child'), ['adminTooYoung', 'contacts.0']],
    ['eleven techs', named('tech', ...many.map(({ code }) => code)), ['tooMany', 'contacts']],
    ['eleven admins', named('admin', ...many.map(({ code }) => code)), ['tooMany', 'contacts']],
  ];
  test.each(REFUSED)('failure: %s', (_what, contacts, expected) => {
    expect(refusalsOf(() => add(contacts))).toEqual([expected]);
  });

  test('failure: the eleventh beside ten that are there', () => {
    const ten = { contacts: many.slice(0, 10).map((one) => linked(one, 'tech')) };
    expect(refusalsOf(() => add(named('tech', 'mari'), ten))).toEqual([['tooMany', 'contacts']]);
    expect(refusalsOf(() => add(named('admin', 'mari'), ten))).toEqual([]);
  });

  test('success: one contact in both roles; one that is there already stays, and is not looked at again', () => {
    const both = [...named('admin', 'jaan'), ...named('tech', 'JAAN', 'firm', 'child')];
    expect(rolesOf(add(both))).toEqual(['admin jaan', 'tech jaan', 'tech firm', 'tech child']);
    const there = { contacts: [linked(FIRM, 'admin')] };
    expect(rolesOf(add(named('admin', 'firm'), there))).toEqual(['admin firm']);
  });

  test('success: removed from one role alone, in whatever case', () => {
    const contacts = [linked(MARI, 'admin'), linked(MARI, 'tech'), linked(JAAN, 'tech')];
    expect(rolesOf(remove(named('tech', 'MARI'), { contacts }))).toEqual(['admin mari', 'tech jaan']);
  });

  test('failure: one that is not linked in that role', () => {
    const domain = { contacts: [linked(MARI, 'admin')] };
    expect(refusalsOf(() => remove(named('tech', 'mari'), domain))).toEqual([
      ['contactNotLinked', 'contacts.0'],
    ]);
    expect(refusalsOf(() => remove(named('admin', 'mari', 'jaan'), domain))).toEqual([
      ['contactNotLinked', 'contacts.1'],
    ]);
  });

  test('failure: the last admin of an organisation, where the policy wants one', () => {
    const domain = { registrant: FIRM, contacts: [linked(MARI, 'admin')] };
    const last = (adminRequired: boolean) =>
      refusalsOf(() => remove(named('admin', 'mari'), domain, withPolicy({ adminRequired })));
    expect([last(true), last(false)]).toEqual([[['adminRequired', 'contacts']], []]);
  });
});

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
      'a host of its own without an address',
      () => add(['a.ee', 'ns.example.ee']),
      ['glueMissing', 'nameservers.1'],
    ],
    [
      'taking away what is not there',
      () => remove('ns9.example.net', having(...HOSTS)),
      ['objectMissing', null],
    ],
    ['taking away what is no name', () => remove(undefined, having(...HOSTS)), ['objectMissing', null]],
    ['leaving one', () => remove('ns1.example.net', having(...HOSTS)), ['nameserverCount', 'nameservers']],
  ])('failure: %s', (_what, decide, expected) => {
    expect(refusalsOf(decide)).toEqual([expected]);
  });

  test('success: two from none, eleven in all, one less, all gone', () => {
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

describe('DNSSEC keys of a domain', () => {
  const key = (publicKey: string, changes = {}) => ({ ...signedKey(publicKey), ...changes });
  const having = (...keys: string[]) => foundDomain({ dnsKeys: keys.map((one) => key(one)) });
  const add = (keys: string[], found = having('AAAA')) =>
    addKeys.decide(found, { name: NAME, keys: keys.map((one) => key(one)) }, contextOf());
  const remove = (...keys: ReturnType<typeof key>[]) =>
    removeKeys.decide(having('AAAA', 'BBBB'), { name: NAME, keys }, contextOf());
  const others = (count: number) => Array.from({ length: count }, (_, index) => `CCC${index}`);

  test.each<[string, () => unknown, Found]>([
    ['one that is there', () => add(['BBBB', 'AAAA']), ['dnsKeyTaken', 'dns_keys.1.public_key']],
    ['one twice', () => add(['BBBB', 'BBBB']), ['dnsKeyTaken', 'dns_keys.1.public_key']],
    ['ten in all', () => add(others(9)), ['tooMany', 'dns_keys']],
    [
      'taking away what is not there',
      () => remove(key('AAAA'), key('DDDD')),
      ['dnsKeyMissing', 'dns_keys.1'],
    ],
    ['another flag', () => remove(key('AAAA', { flags: 256 })), ['dnsKeyMissing', 'dns_keys.0']],
    ['another protocol', () => remove(key('AAAA', { protocol: 2 })), ['dnsKeyMissing', 'dns_keys.0']],
    ['another algorithm', () => remove(key('AAAA', { alg: 15 })), ['dnsKeyMissing', 'dns_keys.0']],
  ])('failure: %s', (_what, decide, expected) => {
    expect(refusalsOf(decide)).toEqual([expected]);
  });

  test('success: nine in all; those that are named go', () => {
    expect(add(others(8)).after.dnsKeys).toHaveLength(9);
    expect(remove(key('AAAA')).after.dnsKeys.map(({ publicKey }) => publicKey)).toEqual(['BBBB']);
  });

  test('success: the record of a new key has the name of the domain in it', () => {
    const digests = ['a.ee', 'b.ee'].map(
      (name) => add(['BBBB'], foundDomain({ name })).after.dnsKeys.at(-1)?.digest,
    );
    expect(digests).toEqual([
      expect.stringMatching(/^[0-9A-F]{64}$/),
      expect.stringMatching(/^[0-9A-F]{64}$/),
    ]);
    expect(new Set(digests).size).toBe(2);
  });
});

describe('clientHold', () => {
  const set = (status: string, statuses: Domain['statuses'] = {}) =>
    setHold.decide(foundDomain({ statuses }), { name: NAME, status }, contextOf());
  const remove = (status: string, statuses: Domain['statuses'] = {}) =>
    removeHold.decide(foundDomain({ statuses }), { name: NAME, status }, contextOf());

  test('success: set twice, removed, and no other status is lost', () => {
    const others = { serverHold: 'by court order', expired: '' };
    expect(set('clientHold', others).after.statuses).toEqual({ clientHold: '', ...others });
    expect(set('clientHold', { clientHold: 'a note' }).after.statuses).toEqual({ clientHold: 'a note' });
    expect(remove('clientHold', { clientHold: '', ...others }).after.statuses).toEqual(others);
  });

  test('failure: one that is not there', () => {
    expect(refusalsOf(() => remove('clientHold'))).toEqual([['statusAbsent', null]]);
  });

  test.each([['serverHold'], ['ok'], ['clienthold'], ['clientDeleteProhibited'], ['x']])(
    'failure: %s is not a registrar’s to set or to remove',
    (status) => {
      const there = { [status]: '' };
      expect(refusalsOf(() => set(status))).toEqual([['statusUnsupported', null]]);
      expect(refusalsOf(() => remove(status, there))).toEqual([['statusUnsupported', null]]);
    },
  );
});
