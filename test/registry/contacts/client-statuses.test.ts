import { describe, expect, test } from 'vitest';
import { dayIn } from '../../../src/platform/values/dates.ts';
import { ee } from '../../../src/policy/ee.ts';
import type { ContactClientStatus, Policy } from '../../../src/policy/policy.ts';
import type { StoredContact } from '../../../src/registry/contacts/contact.ts';
import {
  type ContactText,
  parseContactChange,
  parseNewContact,
} from '../../../src/registry/contacts/contact-fields.ts';
import { updateContact } from '../../../src/registry/contacts/update-contact.ts';
import { contextOf, type Found, NOW, refusalsOf, taken } from '../../support/decisions.ts';

const today = dayIn(ee.timeZone, NOW);
const [NO_DELETE, NO_UPDATE] = ['clientDeleteProhibited', 'clientUpdateProhibited'] as const;
const policyWith = (...clientStatuses: ContactClientStatus[]): Policy => ({
  ...ee,
  contacts: { ...ee.contacts, clientStatuses },
});
const BOTH = policyWith(NO_DELETE, NO_UPDATE);

type Change = { readonly add?: string[]; readonly remove?: string[]; readonly text?: ContactText };
const contact = (...statuses: string[]): StoredContact => ({
  ...taken(
    parseNewContact(
      {
        name: 'Mari',
        email: 'mari@example.ee',
        phone: '+372.1',
        ident: { ident: '60001019906', type: 'priv', countryCode: 'EE' },
      },
      ee,
      today,
    ),
  ),
  id: 1,
  version: 1,
  code: 'mari',
  address: null,
  disclosedAttributes: [],
  reference: null,
  linked: false,
  statuses: Object.fromEntries(statuses.map((status) => [status, null])),
});
const change = (stored: StoredContact, { add = [], remove = [], text = {} }: Change, policy = BOTH) =>
  updateContact.decide(
    { contact: stored, gone: false, links: { domains: [], total: 0 } },
    {
      code: 'mari',
      fields: taken(parseContactChange(text, policy, today)),
      addStatuses: add,
      removeStatuses: remove,
    },
    contextOf({ policy }),
  );

describe('the client statuses of a contact', () => {
  test('success: added once, removed once', () => {
    const added = change(contact(), { add: [NO_DELETE, NO_UPDATE] }).after;
    expect(added.statuses).toEqual({ [NO_DELETE]: null, [NO_UPDATE]: null });
    const removed = change(added, { remove: [NO_DELETE, NO_UPDATE] }).after;
    expect(removed.statuses).toEqual({});
    expect(change(contact(NO_DELETE), { add: [NO_UPDATE], remove: [NO_DELETE] }).after.statuses).toEqual({
      [NO_UPDATE]: null,
    });
  });

  test.each<[string, string[], Change, Found[]]>([
    ['one that is there', [NO_DELETE], { add: [NO_DELETE] }, [['contactStatusPresent', 'addStatuses.0']]],
    ['one twice', [], { add: [NO_DELETE, NO_DELETE] }, [['contactStatusPresent', 'addStatuses.1']]],
    [
      'the removal of an absent one',
      [],
      { remove: [NO_DELETE] },
      [['contactStatusAbsent', 'removeStatuses.0']],
    ],
    [
      'a removal twice',
      [NO_DELETE],
      { remove: [NO_DELETE, NO_DELETE] },
      [['contactStatusAbsent', 'removeStatuses.1']],
    ],
    [
      'all failures at once, with that of a field',
      [NO_DELETE],
      {
        add: ['clientHold', NO_DELETE],
        remove: ['ok', NO_UPDATE],
        text: { name: 'Mari @ home' },
      },
      [
        ['contactStatusUnsupported', 'removeStatuses.0'],
        ['contactStatusAbsent', 'removeStatuses.1'],
        ['contactStatusUnsupported', 'addStatuses.0'],
        ['contactStatusPresent', 'addStatuses.1'],
        ['wrongSyntax', 'name'],
      ],
    ],
  ])('failure: %s', (_what, statuses, changes, found) => {
    expect(refusalsOf(() => change(contact(...statuses), changes))).toEqual(found);
  });

  test.each([
    'clientHold',
    'clientTransferProhibited',
    'ok',
    'linked',
    'pendingDelete',
    'pendingUpdate',
    'serverDeleteProhibited',
    'serverUpdateProhibited',
    'serverTransferProhibited',
    'invented',
    '',
  ])('failure: %j is not in the policy', (status) => {
    expect(refusalsOf(() => change(contact(), { add: [status] }))).toEqual([
      ['contactStatusUnsupported', 'addStatuses.0'],
    ]);
    expect(refusalsOf(() => change(contact(), { remove: [status] }))).toEqual([
      ['contactStatusUnsupported', 'removeStatuses.0'],
    ]);
  });

  test('failure: any of them where the policy has none', () => {
    for (const status of [NO_DELETE, NO_UPDATE, 'clientTransferProhibited'])
      expect(refusalsOf(() => change(contact(), { add: [status] }, ee))).toEqual([
        ['contactStatusUnsupported', 'addStatuses.0'],
      ]);
  });
});

describe('an update of a contact with client statuses', () => {
  test('success: what prohibits deletion does not prohibit an update', () => {
    const { after } = change(contact(NO_DELETE), { text: { name: 'Mari Mustikas' } });
    expect(after.name).toBe('Mari Mustikas');
  });

  test('success: clientUpdateProhibited can be removed, alone or with others', () => {
    expect(change(contact(NO_UPDATE), { remove: [NO_UPDATE] }).after.statuses).toEqual({});
    expect(change(contact(NO_UPDATE, NO_DELETE), { remove: [NO_DELETE, NO_UPDATE] }).after.statuses).toEqual(
      {},
    );
  });

  test.each<[string, Change]>([
    ['a field', { text: { name: 'Mari Mustikas' } }],
    ['an auth_info', { text: { authInfo: 'secret' } }],
    ['an address', { text: { address: { city: 'Tallinn', countryCode: 'EE' } } }],
    ['another status', { add: [NO_DELETE] }],
    ['the removal with a field', { remove: [NO_UPDATE], text: { name: 'Mari Mustikas' } }],
    ['the removal with another status', { remove: [NO_UPDATE], add: [NO_DELETE] }],
    ['the removal of another status', { remove: [NO_DELETE] }],
  ])('failure: while clientUpdateProhibited is set, %s', (_what, changes) => {
    expect(refusalsOf(() => change(contact(NO_UPDATE), changes))).toEqual([['statusProhibits', null]]);
  });

  test('failure: a status of the registry prohibits it still', () => {
    const stored = contact(NO_UPDATE, 'serverUpdateProhibited');
    expect(refusalsOf(() => change(stored, { remove: [NO_UPDATE] }))).toEqual([['statusProhibits', null]]);
  });
});
