import { describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import type { Nameserver } from '../../../src/registry/domains/rules/parse-nameservers.ts';
import { withOtherNameserver } from '../../../src/registry/domains/bulk/replace-nameserver.ts';
import { requireBoth, withOtherTech } from '../../../src/registry/domains/bulk/replace-tech.ts';
import { domainOf, FIRM, JAAN, linked, MARI, nameserver, refusalsOf } from '../../support/decisions.ts';

/** Statuses that skip a domain are tested in statuses.test.ts. */

describe('replacing a nameserver', () => {
  const [OLD, NEW, OTHER] = ['ns1.example.net', 'ns9.example.net', 'ns2.example.net'];
  const replaced = (domain: Domain, next: Nameserver) =>
    withOtherNameserver(domain, { current: OLD, next }, ee);
  const having = (...hosts: string[]) => domainOf({ nameservers: hosts.map((host) => nameserver(host)) });

  test('success: the new one has its own addresses, the others stay', () => {
    const domain = domainOf({
      nameservers: [nameserver(OLD, ['192.0.2.1']), nameserver(OTHER, ['192.0.2.2'])],
    });
    const change = replaced(domain, nameserver(NEW, ['192.0.2.9']));
    expect(change).toEqual({
      operation: 'replace nameserver',
      before: domain,
      after: { ...domain, nameservers: [nameserver(OTHER, ['192.0.2.2']), nameserver(NEW, ['192.0.2.9'])] },
    });
  });

  test.each<[string, Domain]>([
    ['that does not have it', having(OTHER, 'ns3.example.net')],
    ['without nameservers', having()],
    ['that has the new one already', having(OLD, NEW)],
  ])('success: a domain %s is left alone', (_what, domain) => {
    expect(replaced(domain, nameserver(NEW))).toBeUndefined();
  });

  test('success: a domain whose own host would lack an address is unchanged', () => {
    const domain = having(OLD, OTHER);
    expect(replaced(domain, nameserver('ns.example.ee'))).toBeUndefined();
    expect(replaced(domain, nameserver('ns.example.ee', ['192.0.2.1']))).toBeDefined();
    expect(replaced({ ...domain, name: 'another.ee' }, nameserver('ns.example.ee'))).toBeDefined();
  });

  test('failure: an address that the domain of the host cannot publish refuses the whole', () => {
    const next = nameserver('ns.example.ee', ['192.0.2.1', '127.0.0.1']);
    expect(refusalsOf(() => replaced(having(OLD, OTHER), next))).toEqual([['wrongSyntax', 'next.ipv4.1']]);
    expect(replaced({ ...having(OLD, OTHER), name: 'another.ee' }, next)).toBeDefined();
    expect(replaced(having(OTHER), next)).toBeUndefined();
  });
});

describe('replacing a tech contact', () => {
  const rolesAfter = (domain: Domain, from = MARI, to = JAAN) =>
    withOtherTech(domain, from, to)?.after.contacts.map(({ code, role }) => `${role} ${code}`);

  test('success: the other techs stay, and so does its role as admin; an organisation may be one', () => {
    const contacts = [linked(MARI, 'admin'), linked(MARI, 'tech'), linked(JAAN, 'tech')];
    expect(rolesAfter(domainOf({ contacts }), MARI, FIRM)).toEqual(['admin mari', 'tech jaan', 'tech firm']);
  });

  test('success: the new one may be an admin already', () => {
    const contacts = [linked(JAAN, 'admin'), linked(MARI, 'tech')];
    expect(rolesAfter(domainOf({ contacts }))).toEqual(['admin jaan', 'tech jaan']);
  });

  test.each([
    ['that has it as admin alone', [linked(MARI, 'admin')]],
    ['without contacts', []],
    ['that has the new one already', [linked(MARI, 'tech'), linked(JAAN, 'tech')]],
  ])('success: a domain %s is left alone', (_what, contacts) => {
    expect(withOtherTech(domainOf({ contacts }), MARI, JAAN)).toBeUndefined();
  });
});

describe('the contacts of a replacement', () => {
  const namesOf = (current: string, next: string) =>
    refusalsOf(() => requireBoth([MARI, JAAN], { current, next }));

  test('success: the old and the new one, ignoring case', () => {
    expect(requireBoth([JAAN, MARI], { current: 'MARI', next: 'jaan' })).toEqual([MARI, JAAN]);
  });

  test('failure: both that are missing are named; one cannot replace itself', () => {
    expect(namesOf('absent', 'jaan')).toEqual([['bodyObjectMissing', 'current']]);
    expect(namesOf('nobody', 'absent')).toEqual([
      ['bodyObjectMissing', 'current'],
      ['bodyObjectMissing', 'next'],
    ]);
    expect(namesOf('mari', 'Mari')).toEqual([['sameContact', 'next']]);
  });
});
