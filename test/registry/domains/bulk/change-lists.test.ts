import { describe, expect, test } from 'vitest';
import {
  type ContactListChange,
  contactParts,
} from '../../../../src/registry/domains/bulk/change-contact-lists.ts';
import { type KeyListChange, keyParts } from '../../../../src/registry/domains/bulk/change-key-lists.ts';
import { type PartsOf, partsChange } from '../../../../src/registry/domains/bulk/change-parts-of-many.ts';
import { decideRegistrant } from '../../../../src/registry/domains/bulk/change-registrants.ts';
import { restoredParts, type StoredLists } from '../../../../src/registry/domains/bulk/restore-lists.ts';
import type { Domain } from '../../../../src/registry/domains/domain.ts';
import type { DnsKey } from '../../../../src/registry/domains/rules/dnssec-keys.ts';
import type { Nameserver } from '../../../../src/registry/domains/rules/parse-nameservers.ts';
import {
  contextOf,
  domainOf,
  FIRM,
  type Found,
  JAAN,
  linked,
  MARI,
  MARI_AGAIN,
  nameAndPlace,
  nameserver,
  persons,
  signedKey,
} from '../../../support/decisions.ts';

const OWN = [MARI, MARI_AGAIN, JAAN, FIRM, ...persons(12)];
const changeOf = (partsOf: PartsOf) => partsChange(partsOf, OWN, contextOf());
const refused = (partsOf: PartsOf, domain: Domain): Found[] =>
  changeOf(partsOf).check(domain).map(nameAndPlace);

describe('contacts in one role', () => {
  const domain = domainOf({ contacts: [linked(MARI, 'admin'), linked(JAAN, 'admin'), linked(FIRM, 'tech')] });
  const change = (changes: Partial<ContactListChange>): PartsOf =>
    contactParts({ role: 'admin', remove: [], add: [], ...changes });
  const codesAfter = (changes: Partial<ContactListChange>) =>
    changeOf(change(changes))
      .change(domain)
      .contacts.filter(({ role }) => role === (changes.role ?? 'admin'))
      .map(({ code }) => code);

  test.each<[string, Partial<ContactListChange>, string[]]>([
    ['set', { remove: 'all', add: ['jaan', 'mari-again'] }, ['jaan', 'mari-again']],
    ['added', { add: ['JAAN', 'mari-again'] }, ['mari', 'jaan', 'mari-again']],
    ['removed', { remove: ['mari', 'nobody'] }, ['jaan']],
    ['replaced', { remove: ['mari'], add: ['mari-again'] }, ['jaan', 'mari-again']],
    ['in the other role', { role: 'tech', remove: 'all', add: ['mari'] }, ['mari']],
  ])('success: %s', (_how, changes, expected) => {
    expect(refused(change(changes), domain)).toEqual([]);
    expect(codesAfter(changes)).toEqual(expected);
  });

  test.each<[string, Partial<ContactListChange>]>([
    ['the same list', { remove: 'all', add: ['JAAN', 'mari'] }],
    ['what it has', { add: ['jaan'] }],
    ['without what it lacks', { remove: ['firm'] }],
    ['replaced already', { remove: ['nobody'], add: ['mari'] }],
  ])('success: nothing is different: %s', (_what, changes) => {
    const locked = { ...domain, statuses: { serverUpdateProhibited: '' } };
    expect(refused(change(changes), locked)).toEqual([]);
    expect(changeOf(change(changes)).change(locked)).toBe(locked);
  });

  test.each<[string, Partial<ContactListChange>, Partial<Domain>, Found]>([
    ['none to be replaced', { remove: ['firm'], add: ['mari-again'] }, {}, ['contactNotLinked', null]],
    ['an organisation', { add: ['firm'] }, {}, ['adminNotPerson', 'add.contacts.0']],
    [
      'a status of the role',
      { add: ['mari-again'] },
      { statuses: { serverAdminChangeProhibited: '' } },
      ['statusProhibits', null],
    ],
    ['too many', { add: persons(12).map(({ code }) => code) }, {}, ['tooMany', 'contacts']],
  ])('failure: %s', (_what, changes, state, expected) => {
    expect(refused(change(changes), { ...domain, ...state })).toEqual([expected]);
  });
});

describe('keys', () => {
  const [A, B] = [signedKey('AAAA'), signedKey('BBBB')];
  const bare = ({ flags, protocol, alg, publicKey }: DnsKey): DnsKey => ({ flags, protocol, alg, publicKey });
  const domain = domainOf({ dnsKeys: [A] });
  const after = (change: KeyListChange) =>
    changeOf(keyParts(change))
      .change(domain)
      .dnsKeys.map(({ publicKey }) => publicKey);

  test.each<[string, KeyListChange, string[]]>([
    ['added', { removesOthers: false, add: [bare(A), bare(B)] }, ['AAAA', 'BBBB']],
    ['set', { removesOthers: true, add: [bare(B)] }, ['BBBB']],
    ['removed', { removesOthers: true, add: [] }, []],
  ])('success: %s', (_how, change, expected) => {
    expect(refused(keyParts(change), domain)).toEqual([]);
    expect(after(change)).toEqual(expected);
  });

  test('success: nothing is different', () => {
    const locked = { ...domain, statuses: { serverExtensionUpdateProhibited: '' } };
    for (const removesOthers of [true, false])
      expect(changeOf(keyParts({ removesOthers, add: [bare(A)] })).change(locked)).toBe(locked);
    expect(refused(keyParts({ removesOthers: true, add: [bare(A)] }), locked)).toEqual([]);
  });

  test.each<[string, DnsKey, Partial<Domain>, Found]>([
    [
      'the same key with other flags',
      { ...bare(A), flags: 256 },
      {},
      ['dnsKeyTaken', 'add.dnsKeys.0.publicKey'],
    ],
    ['a status', bare(B), { statuses: { serverExtensionUpdateProhibited: '' } }, ['statusProhibits', null]],
  ])('failure: %s', (_what, key, state, expected) => {
    expect(refused(keyParts({ removesOthers: false, add: [key] }), { ...domain, ...state })).toEqual([
      expected,
    ]);
  });
});

describe('registrants', () => {
  const decide = (domain: Domain, verified: boolean, registrant = JAAN) =>
    decideRegistrant(domain, { verified }, registrant, contextOf());

  test('success: the present one is asked, unless it has agreed or is the same', () => {
    const asked = decide(domainOf(), false).change;
    expect([asked?.operation, asked?.after.registrant, asked?.request?.kind, asked?.mails?.length]).toEqual([
      'ask for registrant change',
      MARI,
      'registrant change',
      2,
    ]);
    for (const atOnce of [decide(domainOf(), true), decide(domainOf(), false, MARI_AGAIN)])
      expect([atOnce.change?.operation, atOnce.change?.request]).toEqual(['change registrant', undefined]);
    expect(decide(domainOf({ statuses: { serverUpdateProhibited: '' } }), false, MARI)).toEqual({});
  });

  test.each<[string, Partial<Domain>]>([
    ['a status of registrants', { statuses: { serverRegistrantChangeProhibited: '' } }],
    ['a status of changes', { statuses: { pendingUpdate: '' } }],
    ['a dispute', { disputed: true }],
  ])('failure: %s', (_what, state) => {
    const { refusal, change } = decide(domainOf(state), true);
    expect([refusal?.name, change]).toEqual(['statusProhibits', undefined]);
  });
});

describe('lists that are restored', () => {
  const hosts = (...names: string[]): Nameserver[] => names.map((name) => nameserver(name));
  const [OLD, NEW] = [hosts('a.example', 'b.example'), hosts('c.example', 'd.example')];
  const lists = (changes: Partial<StoredLists> = {}): StoredLists => ({
    admin_contacts: [],
    tech_contacts: [],
    nameservers: [],
    dnssec_keys: [],
    ...changes,
  });
  const past = (before: Partial<StoredLists>, after: Partial<StoredLists>): PartsOf =>
    restoredParts(new Map([[1, { id: 1, before: lists(before), after: lists(after) }]]));
  const nameservers = past({ nameservers: OLD }, { nameservers: NEW });

  test('success: nameservers, in whatever order they are now, and whatever else has changed', () => {
    const domain = domainOf({ nameservers: [...NEW].reverse(), contacts: [linked(JAAN, 'tech')] });
    expect(refused(nameservers, domain)).toEqual([]);
    const after = changeOf(nameservers).change(domain);
    expect([after.nameservers, after.contacts]).toEqual([OLD, domain.contacts]);
  });

  test('success: addresses of a host', () => {
    const own = (address: string) => [...hosts('a.example'), nameserver('ns.example.ee', [address])];
    const addresses = past({ nameservers: own('192.0.2.1') }, { nameservers: own('192.0.2.9') });
    const context = contextOf();
    const { nameservers: restored } = partsChange(addresses, OWN, context).change(
      domainOf({ nameservers: own('192.0.2.9') }),
    );
    expect(restored).toEqual(own('192.0.2.1'));
  });

  test('success: contacts and keys', () => {
    const { publicKey, ...key } = signedKey('AAAA');
    const stored = { ...key, public_key: publicKey };
    const both = past({ admin_contacts: ['MARI'], dnssec_keys: [stored] }, { admin_contacts: ['jaan'] });
    const after = changeOf(both).change(domainOf({ contacts: [linked(JAAN, 'admin')] }));
    expect(after.contacts.map(({ code }) => code)).toEqual(['mari']);
    expect(after.dnsKeys.map((each) => each.publicKey)).toEqual(['AAAA']);
  });

  test('success: what is as before already stays', () => {
    const domain = domainOf({ nameservers: OLD, statuses: { serverUpdateProhibited: '' } });
    expect(refused(nameservers, domain)).toEqual([]);
    expect(changeOf(nameservers).change(domain)).toBe(domain);
  });

  test.each<[string, PartsOf, Partial<Domain>, Found]>([
    ['changed since', nameservers, { nameservers: hosts('c.example', 'e.example') }, ['changedSince', null]],
    ['one more since', nameservers, { nameservers: [...NEW, ...hosts('e.example')] }, ['changedSince', null]],
    ['another domain of the name', nameservers, { id: 2, nameservers: NEW }, ['notChangedByJob', null]],
    [
      'a status',
      nameservers,
      { nameservers: NEW, statuses: { clientUpdateProhibited: '' } },
      ['statusProhibits', null],
    ],
    [
      'a contact that is gone',
      past({ tech_contacts: ['gone'] }, { tech_contacts: ['jaan'] }),
      { contacts: [linked(JAAN, 'tech')] },
      ['bodyObjectMissing', 'add.contacts.0'],
    ],
  ])('failure: %s', (_what, partsOf, state, expected) => {
    expect(refused(partsOf, domainOf(state))).toEqual([expected]);
  });
});
