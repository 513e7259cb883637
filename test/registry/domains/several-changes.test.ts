import { describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import type { ContactInfo, ContactRole, Domain } from '../../../src/registry/domains/domain.ts';
import {
  type DomainParts,
  type NamedContact,
  NO_PARTS,
} from '../../../src/registry/domains/rules/domain-parts.ts';
import type { DomainUpdate } from '../../../src/registry/domains/update-domain.ts';
import { decideRequest, type OpenRequest } from '../../../src/registry/requests/answer-request.ts';
import {
  CHILD,
  contextOf,
  domainOf,
  FIRM,
  type Found,
  JAAN,
  linked,
  MARI,
  NOW,
  nameserver,
  persons,
  refusalsOf,
  signedKey,
  updateOf,
  withPolicy,
} from '../../support/decisions.ts';

const many = persons(11);
const contacts = (role: ContactRole, ...codes: string[]): NamedContact[] =>
  codes.map((code) => ({ code, role }));
const hosts = (...names: string[]) => names.map((hostname) => ({ hostname }));
const statuses = (...names: string[]) => names.map((status) => ({ status }));
const servers = (...names: string[]) => names.map((name) => nameserver(name));

type Change = Omit<DomainUpdate, 'name' | 'remove' | 'contacts'> & {
  readonly remove?: Partial<DomainParts['remove']>;
};

const partsOf = ({ remove, add }: Change): DomainParts => ({
  remove: { ...NO_PARTS.remove, ...remove },
  add: { ...NO_PARTS.add, ...add },
});

function update(
  change: Change,
  domain: Partial<Domain> = {},
  context = contextOf(),
  dispute?: { code: string },
) {
  return updateOf(domain, change, {
    own: [MARI, JAAN, FIRM, CHILD, ...many],
    context,
    ...(dispute && { dispute }),
  });
}

const to = ({ code }: ContactInfo, verified = true) => ({ registrant: { code, verified } });
const allStatuses = withPolicy({
  clientStatuses: ['clientHold', 'clientUpdateProhibited', 'clientDeleteProhibited'],
});

describe('several changes of a domain at once', () => {
  test('success: everything is removed before anything is added, and the code is replaced', () => {
    const domain = {
      contacts: [linked(MARI, 'admin'), linked(JAAN, 'tech')],
      nameservers: servers('ns1.example.net', 'ns2.example.net'),
      statuses: { clientHold: '', expired: '' },
      dnsKeys: [signedKey('AAAA'), signedKey('BBBB')],
    };
    const { after, answer, operation } = update(
      {
        remove: {
          contacts: contacts('tech', 'JAAN'),
          nameservers: hosts('ns1.example.net', 'ns2.example.net'),
          statuses: statuses('clientHold'),
          keys: 'all',
        },
        add: {
          contacts: contacts('tech', 'mari'),
          nameservers: [nameserver('ns1.example.net', ['192.0.2.1']), nameserver('ns3.example.net')],
          keys: [signedKey('AAAA')],
        },
        transferCode: 'chosen-by-us',
      },
      domain,
    );
    expect([answer, operation]).toMatchObject([{ name: 'example.ee', isPending: false }, 'update']);
    expect(after.contacts.map(({ code, role }) => `${role} ${code}`)).toEqual(['admin mari', 'tech mari']);
    expect(after.nameservers.map(({ hostname, ipv4 }) => [hostname, ipv4])).toEqual([
      ['ns1.example.net', ['192.0.2.1']],
      ['ns3.example.net', []],
    ]);
    expect(after.dnsKeys.map(({ publicKey }) => publicKey)).toEqual(['AAAA']);
    expect([after.statuses, after.transferCode]).toEqual([{ expired: '' }, 'chosen-by-us']);
  });

  test('success: counts are those of the result', () => {
    const nine = { dnsKeys: Array.from({ length: 9 }, (_, index) => signedKey(`AAA${index}`)) };
    const key = { add: { keys: [signedKey('BBBB')] } };
    expect(refusalsOf(() => update(key, nine))).toEqual([['tooMany', 'dnsKeys']]);
    expect(refusalsOf(() => update({ ...key, remove: { keys: [signedKey('AAA0')] } }, nine))).toEqual([]);
    const ten = { contacts: many.slice(0, 10).map((one) => linked(one, 'tech')) };
    const tech = { add: { contacts: contacts('tech', 'mari') } };
    expect(refusalsOf(() => update(tech, ten))).toEqual([['tooMany', 'contacts']]);
    const exchange = { ...tech, remove: { contacts: contacts('tech', 'person-0') } };
    expect(refusalsOf(() => update(exchange, ten))).toEqual([]);
    const two = { nameservers: servers('a.example.net', 'b.example.net') };
    const one = { remove: { nameservers: hosts('a.example.net') } };
    expect(refusalsOf(() => update(one, two))).toEqual([['nameserverCount', 'nameservers']]);
    expect(refusalsOf(() => update({ ...one, add: { nameservers: servers('c.example.net') } }, two))).toEqual(
      [],
    );
    expect(
      refusalsOf(() => update({ remove: { nameservers: hosts('a.example.net', 'b.example.net') } }, two)),
    ).toEqual([]);
  });

  test('success: an admin contact that the new registrant needs is added in the same request', () => {
    const context = withPolicy({ adminRequired: true });
    expect(refusalsOf(() => update(to(FIRM), {}, context))).toEqual([['adminRequired', 'registrant']]);
    const both = { ...to(FIRM), add: { contacts: contacts('admin', 'jaan') } };
    expect(refusalsOf(() => update(both, {}, context))).toEqual([]);
  });

  test.each<[string, Change, readonly Found[]]>([
    [
      'a contact',
      { remove: { contacts: contacts('tech', 'jaan') } },
      [['contactNotLinked', 'remove.contacts.0']],
    ],
    [
      'a host',
      { remove: { nameservers: hosts('x.example.net') } },
      [['bodyObjectMissing', 'remove.nameservers.0']],
    ],
    ['a status', { remove: { statuses: statuses('clientHold') } }, [['statusAbsent', 'remove.statuses.0']]],
    ['a key', { remove: { keys: [signedKey('AAAA')] } }, [['dnsKeyMissing', 'remove.dnsKeys.0']]],
  ])('failure: %s that is absent cannot be removed', (_what, change, expected) => {
    expect(refusalsOf(() => update(change))).toEqual(expected);
  });

  test.each<[string, Change, Found]>([
    [
      'a host twice',
      { add: { nameservers: servers('a.example.net', 'a.example.net') } },
      ['nameserverTaken', 'add.nameservers.1.hostname'],
    ],
    [
      'a host without glue',
      { add: { nameservers: servers('a.example.net', 'ns.example.ee') } },
      ['glueMissing', 'add.nameservers.1'],
    ],
    [
      'a key twice',
      { add: { keys: [signedKey('AAAA'), signedKey('AAAA')] } },
      ['dnsKeyTaken', 'add.dnsKeys.1.publicKey'],
    ],
    [
      'an unknown contact',
      { add: { contacts: contacts('tech', 'nobody') } },
      ['bodyObjectMissing', 'add.contacts.0'],
    ],
    [
      'an organisation as admin',
      { add: { contacts: contacts('admin', 'firm') } },
      ['adminNotPerson', 'add.contacts.0'],
    ],
    [
      'an unknown registrant',
      { registrant: { code: 'nobody', verified: true } },
      ['bodyObjectMissing', 'registrant'],
    ],
    [
      'another status',
      { add: { statuses: statuses('clientDeleteProhibited') } },
      ['statusUnsupported', 'add.statuses.0'],
    ],
    [
      'a status twice',
      { add: { statuses: statuses('clientHold', 'clientHold') } },
      ['statusPresent', 'add.statuses.1'],
    ],
  ])('failure: %s', (_what, change, expected) => {
    expect(refusalsOf(() => update(change))).toEqual([expected]);
  });

  test('failure: a status that is already set', () => {
    const held = { statuses: { clientHold: '' } };
    expect(refusalsOf(() => update({ add: { statuses: statuses('clientHold') } }, held))).toEqual([
      ['statusPresent', 'add.statuses.0'],
    ]);
  });

  test('failure: every failure is named', () => {
    const change = {
      remove: { contacts: contacts('admin', 'jaan'), statuses: statuses('clientHold') },
      add: { nameservers: servers('a.example.net'), contacts: contacts('admin', 'child') },
      registrant: { code: 'nobody', verified: false },
    };
    const domain = { statuses: { serverUpdateProhibited: '', serverAdminChangeProhibited: '' } };
    expect(refusalsOf(() => update(change, domain))).toEqual([
      ['statusProhibits', null],
      ['bodyObjectMissing', 'registrant'],
      ['contactNotLinked', 'remove.contacts.0'],
      ['statusAbsent', 'remove.statuses.0'],
      ['adminTooYoung', 'add.contacts.0'],
      ['nameserverCount', 'nameservers'],
    ]);
  });

  test('success: what a domain with a dispute has already is no change of who holds it', () => {
    const domain = { disputed: true, contacts: [linked(MARI, 'tech')] };
    const all = { remove: { nameservers: 'all' as const } };
    expect(refusalsOf(() => updateOf(domain, all))).toEqual([]);
    const present = { contacts: contacts('tech', 'mari') };
    expect(refusalsOf(() => updateOf(domain, present, { own: [MARI] }))).toEqual([]);
    expect(refusalsOf(() => updateOf(domain, {}))).toEqual([['statusProhibits', null]]);
  });

  test('failure: a wrong code of a dispute is counted, with everything else that is wrong', () => {
    const change = { ...to(JAAN), disputeCode: 'wrong', add: { contacts: contacts('tech', 'nobody') } };
    const decide = () => update(change, { disputed: true }, contextOf(), { code: 'right' });
    expect(refusalsOf(decide)).toEqual([
      ['wrongCode', 'disputeCode'],
      ['bodyObjectMissing', 'add.contacts.0'],
    ]);
    expect(decide).toThrow(expect.objectContaining({ domainName: 'example.ee' }));
    const right = { ...to(JAAN, false), disputeCode: 'right' };
    const settled = update(right, { disputed: true }, contextOf(), { code: 'right' });
    expect([settled.disputeCode, settled.after.registrant]).toEqual(['right', JAAN]);
  });
});

describe('statuses that prohibit some changes', () => {
  const contact = { add: { contacts: contacts('tech', 'mari') } };
  const key = { add: { keys: [signedKey('AAAA')] } };
  const unlock = { remove: { statuses: statuses('clientUpdateProhibited') } };
  const prohibited: Found[] = [['statusProhibits', null]];
  test.each<[string, Change, Domain['statuses'], readonly Found[]]>([
    ['keys under serverObjUpdateProhibited', key, { serverObjUpdateProhibited: '' }, prohibited],
    ['contacts under serverObjUpdateProhibited', contact, { serverObjUpdateProhibited: '' }, prohibited],
    [
      'both under serverObjUpdateProhibited',
      { add: { ...contact.add, ...key.add } },
      { serverObjUpdateProhibited: '' },
      prohibited,
    ],
    [
      'a code with keys under serverObjUpdateProhibited',
      { ...key, transferCode: 'chosen-by-us' },
      { serverObjUpdateProhibited: '' },
      prohibited,
    ],
    ['keys under serverExtensionUpdateProhibited', key, { serverExtensionUpdateProhibited: '' }, prohibited],
    [
      'all keys under serverExtensionUpdateProhibited',
      { remove: { keys: 'all' } },
      { serverExtensionUpdateProhibited: '' },
      prohibited,
    ],
    ['contacts under serverExtensionUpdateProhibited', contact, { serverExtensionUpdateProhibited: '' }, []],
    ['techs under serverAdminChangeProhibited', contact, { serverAdminChangeProhibited: '' }, []],
    ['techs under serverTechChangeProhibited', contact, { serverTechChangeProhibited: '' }, prohibited],
    [
      'a hold under serverManualInzone',
      { add: { statuses: statuses('clientHold') } },
      { serverManualInzone: '' },
      prohibited,
    ],
    [
      'another holder under serverRegistrantChangeProhibited',
      to(JAAN),
      { serverRegistrantChangeProhibited: '' },
      prohibited,
    ],
    ['keys under pendingUpdate', key, { pendingUpdate: '' }, prohibited],
    ['the removal of clientUpdateProhibited', unlock, { clientUpdateProhibited: '' }, []],
    [
      'the same under serverUpdateProhibited',
      unlock,
      { clientUpdateProhibited: '', serverUpdateProhibited: '' },
      prohibited,
    ],
    ['the same with another change', { ...unlock, ...contact }, { clientUpdateProhibited: '' }, prohibited],
    [
      'the same with another status',
      { remove: { statuses: statuses('clientUpdateProhibited', 'clientHold') } },
      { clientUpdateProhibited: '', clientHold: '' },
      prohibited,
    ],
  ])('%s', (_what, change, domain, expected) => {
    expect(refusalsOf(() => update(change, { statuses: domain }, allStatuses))).toEqual(expected);
  });
});

describe('changes that wait for the registrant', () => {
  const change = {
    ...to(JAAN, false),
    add: { contacts: contacts('tech', 'firm'), keys: [signedKey('AAAA')] },
  };
  const pending = domainOf({ statuses: { pendingUpdate: '' } });
  const requestOf = (changes: Change, own: readonly ContactInfo[]): OpenRequest => ({
    kind: 'registrant change',
    expiresAt: NOW,
    newRegistrant: { ...JAAN, registrarId: pending.registrarId },
    newTransferCode: 'generated-code',
    further: { changes: partsOf(changes), own },
  });

  test('success: only the status changes before the confirmation', () => {
    const { answer, after, before, request } = update(change);
    expect(answer).toMatchObject({ name: 'example.ee', isPending: true });
    expect(after).toEqual({ ...before, statuses: { pendingUpdate: '' } });
    expect(request).toMatchObject({ newRegistrantId: JAAN.id, furtherChanges: partsOf(change) });
    expect(update(to(JAAN, false)).request).not.toHaveProperty('furtherChanges');
  });

  test('success: on confirmation everything is applied', () => {
    const { after, requestOutcome } = decideRequest(pending, requestOf(change, [FIRM]), 'confirm', {
      now: NOW,
      policy: ee,
    });
    expect(requestOutcome).toBe('confirmed');
    expect(after).toMatchObject({
      registrant: { id: JAAN.id },
      transferCode: 'generated-code',
      statuses: {},
    });
    expect(after.contacts).toEqual([linked(FIRM, 'tech')]);
    expect(after.dnsKeys.map(({ publicKey }) => publicKey)).toEqual(['AAAA']);
  });

  test.each<[string, Change, readonly ContactInfo[], Partial<Domain>, string]>([
    ['a contact was deleted', change, [], {}, 'Object does not exist: firm'],
    [
      'a status prohibits a part',
      change,
      [FIRM],
      { statuses: { pendingUpdate: '', serverExtensionUpdateProhibited: '' } },
      'serverExtensionUpdateProhibited',
    ],
    [
      'there would be too many',
      change,
      [FIRM],
      { contacts: many.slice(0, 10).map((one) => linked(one, 'tech')) },
      'at most 10 tech contacts',
    ],
  ])('failure: nothing is applied if %s by then', (_what, changes, own, domain, why) => {
    const before = { ...pending, ...domain };
    const decided = decideRequest(before, requestOf(changes, own), 'confirm', { now: NOW, policy: ee });
    expect(decided.requestOutcome).toBe('failed');
    expect(decided.after).toMatchObject({ registrant: MARI, dnsKeys: [], contacts: before.contacts });
    expect(decided.messages?.[0]?.text).toContain(why);
  });
});
