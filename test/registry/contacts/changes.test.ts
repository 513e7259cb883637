import { describe, expect, test } from 'vitest';
import { dayIn } from '../../../src/platform/values/dates.ts';
import { ee } from '../../../src/policy/ee.ts';
import type { FoundContact, StoredContact } from '../../../src/registry/contacts/contact.ts';
import {
  type ContactCode,
  type ContactText,
  parseContactChange,
  parseNewContact,
} from '../../../src/registry/contacts/contact-fields.ts';
import { createContact } from '../../../src/registry/contacts/create-contact.ts';
import { deleteContact } from '../../../src/registry/contacts/delete-contact.ts';
import { updateContact } from '../../../src/registry/contacts/update-contact.ts';
import { contextOf, NOW, refusalsOf, taken } from '../../support/decisions.ts';

const today = dayIn(ee.timeZone, NOW);
const PERSON = { ident: '60001019906', type: 'priv', countryCode: 'EE' };
const ORGANISATION = { ident: '12345678', type: 'org', countryCode: 'EE' };
const parsed = (ident = PERSON) =>
  taken(
    parseNewContact({ name: 'Mari Maasikas', email: 'mari@example.ee', phone: '+372.1', ident }, ee, today),
  );
const stored = (changes: Partial<StoredContact> = {}, ident = PERSON): FoundContact => ({
  contact: {
    ...parsed(ident),
    address: null,
    disclosedAttributes: [],
    reference: null,
    id: 1,
    version: 1,
    code: 'mari',
    statuses: {},
    linked: false,
    ...changes,
  },
  gone: false,
});
const SHOWN = { links: { domains: [], total: 0 } };
const NOBODY: FoundContact = { contact: undefined, gone: false };
const GONE: FoundContact = { contact: undefined, gone: true };

const update = (text: ContactText, found = stored()) =>
  updateContact.decide(
    { ...found, ...SHOWN },
    { code: 'mari', fields: taken(parseContactChange(text, ee, today)) },
    contextOf(),
  );
const remove = (found: Parameters<typeof deleteContact.decide>[0] = stored()) =>
  deleteContact.decide(found, { code: 'mari' }, contextOf());

/** A contact with every field. */
const STATUSES = [
  'ok',
  'linked',
  'clientDeleteProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'serverDeleteProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
  'pendingCreate',
  'pendingDelete',
  'pendingTransfer',
  'pendingUpdate',
];
const prohibiting = (decide: (found: FoundContact) => unknown) =>
  STATUSES.filter((status) => {
    const refused = refusalsOf(() => decide(stored({ statuses: { [status]: null } })));
    expect([[], [['statusProhibits', null]]]).toContainEqual(refused);
    return refused.length > 0;
  });

describe('a new contact', () => {
  test('failure: a code that exists', () => {
    const decide = (isTaken: boolean) =>
      createContact.decide(
        { code: 'mari' as ContactCode, authInfo: 'x', taken: isTaken },
        parsed(),
        contextOf(),
      );
    expect(refusalsOf(() => decide(true))).toEqual([['contactCodeTaken', 'code']]);
    expect(decide(false).answer).toMatchObject({ code: 'mari', contact: { statuses: {} } });
  });
});

describe('a change of a contact', () => {
  test('success: given fields change, the rest stays', () => {
    const { before, after } = update({ email: 'new@example.ee' });
    expect(after).toEqual({ ...before, email: 'new@example.ee' });
  });

  test('success: the stored identification may be repeated', () => {
    expect(refusalsOf(() => update({ ident: PERSON, name: 'Mari Mustikas' }))).toEqual([]);
  });

  test.each([
    ['another code', { ...PERSON, ident: '37605030299' }],
    ['another type', { ...PERSON, type: 'org', countryCode: 'FI' }],
    ['another country', { ...PERSON, countryCode: 'LV' }],
    ['all of it', ORGANISATION],
    ['a code that nobody can have', { ...PERSON, ident: '60001019907' }],
    ['an unknown type', { ...PERSON, type: 'passport' }],
    ['an unknown country', { ...PERSON, countryCode: 'XX' }],
    ['a type that its country does not have', { ...PERSON, type: 'birthday' }],
  ])('failure: an identification with %s', (_what, ident) => {
    expect(refusalsOf(() => update({ ident }))).toEqual([['identUnchangeable', 'ident']]);
  });

  test.each([
    ['another code', { ident: '37605030299' }],
    ['a malformed code', { ident: 'x' }],
    ['another type', { type: 'org' }],
    ['an unknown type', { type: 'x' }],
    ['another country', { countryCode: 'lv', type: 'priv' }],
  ])('failure: an incomplete identification with %s', (_what, ident) => {
    expect(refusalsOf(() => update({ ident }))).toEqual([['identUnchangeable', 'ident']]);
  });

  test('failure: a part of the stored identification lacks the rest', () => {
    expect(refusalsOf(() => update({ ident: { ident: PERSON.ident, countryCode: 'ee' } }))).toEqual([
      ['fieldMissing', 'ident.type'],
    ]);
    expect(refusalsOf(() => update({ ident: {} }))).toHaveLength(3);
    expect(refusalsOf(() => update({ ident: { ...PERSON, ident: ' ' } }))).toEqual([
      ['fieldMissing', 'ident.ident'],
    ]);
  });

  test('failure: a person’s new name with a symbol; an organisation keeps the freedom of its name', () => {
    const name = 'Uus & Vana OÜ';
    expect(refusalsOf(() => update({ name }))).toEqual([['wrongSyntax', 'name']]);
    expect(refusalsOf(() => update({ name }, stored({}, ORGANISATION)))).toEqual([]);
  });

  test('failure: the statuses that forbid it', () => {
    expect(prohibiting((found) => update({ phone: '+372.1' }, found))).toEqual(
      STATUSES.filter((status) => status !== 'ok' && status !== 'linked'),
    );
  });

  test('failure: an unknown one, and a removed one', () => {
    expect(refusalsOf(() => update({ phone: '+372.1' }, NOBODY))).toEqual([['objectMissing', null]]);
    expect(refusalsOf(() => update({ phone: '+372.1' }, GONE))).toEqual([['objectGone', null]]);
  });
});

describe('a deletion of a contact', () => {
  test('failure: the statuses that forbid it', () => {
    expect(prohibiting(remove)).toEqual([
      'clientDeleteProhibited',
      'serverDeleteProhibited',
      'pendingCreate',
      'pendingDelete',
      'pendingTransfer',
      'pendingUpdate',
    ]);
  });

  test('failure: one in use, an unknown one, a removed one', () => {
    const used = { ...stored({ linked: true }), uses: { names: ['a.ee', 'b.ee'], count: 2 } };
    expect(refusalsOf(() => remove(used))).toEqual([['contactLinked', null]]);
    expect(() => remove(used)).toThrow(/: the contact is used by a\.ee, b\.ee$/);
    const busy = { ...used, uses: { ...used.uses, count: 1_200 } };
    expect(() => remove(busy)).toThrow(/ a\.ee, b\.ee and 1198 more domains$/);
    expect(refusalsOf(() => remove(NOBODY))).toEqual([['objectMissing', null]]);
    expect(refusalsOf(() => remove(GONE))).toEqual([['objectGone', null]]);
    expect(remove().answer).toEqual({ code: 'mari' });
  });
});
