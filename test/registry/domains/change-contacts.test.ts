import { describe, expect, test } from 'vitest';
import type { ContactRole, Domain } from '../../../src/registry/domains/domain.ts';
import type { NamedContact } from '../../../src/registry/domains/rules/domain-parts.ts';
import {
  CHILD,
  contextOf,
  FIRM,
  type Found,
  JAAN,
  linked,
  MARI,
  persons,
  refusalsOf,
  updateOf,
  withPolicy,
} from '../../support/decisions.ts';

const many = persons(11);
const named = (role: ContactRole, ...codes: string[]): NamedContact[] =>
  codes.map((code) => ({ code, role }));

describe('contacts of a domain', () => {
  const add = (contacts: NamedContact[], domain: Partial<Domain> = {}) =>
    updateOf(domain, { add: { contacts } }, { own: [MARI, JAAN, FIRM, CHILD, ...many] });
  const remove = (contacts: NamedContact[], domain: Partial<Domain>, context = contextOf()) =>
    updateOf(domain, { remove: { contacts } }, { context });
  const rolesOf = ({ after }: { after: Domain }) => after.contacts.map(({ code, role }) => `${role} ${code}`);

  const REFUSED: readonly [string, NamedContact[], Found][] = [
    ['an unknown one', named('tech', 'mari', 'nobody'), ['bodyObjectMissing', 'add.contacts.1']],
    ['one twice', named('tech', 'mari', 'MARI'), ['contactTwice', 'add.contacts.1']],
    ['an organisation as admin', named('admin', 'mari', 'firm'), ['adminNotPerson', 'add.contacts.1']],
    ['a minor as admin', named('admin', 'child'), ['adminTooYoung', 'add.contacts.0']],
    ['eleven techs', named('tech', ...many.map(({ code }) => code)), ['tooMany', 'contacts']],
    ['eleven admins', named('admin', ...many.map(({ code }) => code)), ['tooMany', 'contacts']],
  ];
  test.each(REFUSED)('failure: %s', (_what, contacts, expected) => {
    expect(refusalsOf(() => add(contacts))).toEqual([expected]);
  });

  test('failure: an eleventh', () => {
    const ten = { contacts: many.slice(0, 10).map((one) => linked(one, 'tech')) };
    expect(refusalsOf(() => add(named('tech', 'mari'), ten))).toEqual([['tooMany', 'contacts']]);
    expect(refusalsOf(() => add(named('admin', 'mari'), ten))).toEqual([]);
  });

  test('success: one contact in both roles; an existing one stays, and is not checked again', () => {
    const both = [...named('admin', 'jaan'), ...named('tech', 'JAAN', 'firm', 'child')];
    expect(rolesOf(add(both))).toEqual(['admin jaan', 'tech jaan', 'tech firm', 'tech child']);
    const there = { contacts: [linked(FIRM, 'admin')] };
    expect(rolesOf(add(named('admin', 'firm'), there))).toEqual(['admin firm']);
  });

  test('success: removed from one role alone, in any case', () => {
    const contacts = [linked(MARI, 'admin'), linked(MARI, 'tech'), linked(JAAN, 'tech')];
    expect(rolesOf(remove(named('tech', 'MARI'), { contacts }))).toEqual(['admin mari', 'tech jaan']);
  });

  test('failure: one that is not linked in that role', () => {
    const domain = { contacts: [linked(MARI, 'admin')] };
    expect(refusalsOf(() => remove(named('tech', 'mari'), domain))).toEqual([
      ['contactNotLinked', 'remove.contacts.0'],
    ]);
    expect(refusalsOf(() => remove(named('admin', 'mari', 'jaan'), domain))).toEqual([
      ['contactNotLinked', 'remove.contacts.1'],
    ]);
  });

  test('failure: the last admin of an organisation, where the policy requires one', () => {
    const domain = { registrant: FIRM, contacts: [linked(MARI, 'admin')] };
    const last = (adminRequired: boolean) =>
      refusalsOf(() => remove(named('admin', 'mari'), domain, withPolicy({ adminRequired })));
    expect([last(true), last(false)]).toEqual([[['adminRequired', 'contacts']], []]);
  });
});
