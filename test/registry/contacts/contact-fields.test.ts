import { describe, expect, test } from 'vitest';
import { dayIn } from '../../../src/platform/values/dates.ts';
import { ee } from '../../../src/policy/ee.ts';
import {
  type ContactText,
  parseContactFields,
  parseNewContact,
} from '../../../src/registry/contacts/contact-fields.ts';
import { type Found, NOW, taken, wrongIn } from '../../support/decisions.ts';

const today = dayIn(ee.timeZone, NOW);
const PERSON = {
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: '+372.5551234',
  ident: { ident: '60001019906', type: 'priv', countryCode: 'EE' },
};
const identified = (ident: string, type: string, countryCode: string) => ({
  ident: { ident, type, countryCode },
});
const ORGANISATION = identified('12345678', 'org', 'EE');
const parse = (changes: ContactText) => parseNewContact({ ...PERSON, ...changes }, ee, today);
const without = (...names: readonly string[]) =>
  parseNewContact(
    Object.fromEntries(Object.entries(PERSON).filter(([name]) => !names.includes(name))),
    ee,
    today,
  );

const LONG_LABELS = ['b', 'c', 'd', 'e'].map((letter) => letter.repeat(60)).join('.');
const NAME: Found = ['wrongSyntax', 'name'];
const EMAIL: Found = ['wrongSyntax', 'email'];
const PHONE: Found = ['wrongSyntax', 'phone'];
const CODE: Found = ['wrongSyntax', 'code'];
const IDENT: Found = ['wrongSyntax', 'ident.ident'];

const REFUSED: readonly [string, ContactText, Found][] = [
  ['a name with markup', { name: '<b>Mari</b>' }, NAME],
  ['an escaped angle bracket', { name: 'Mari %3Cb', ...ORGANISATION }, NAME],
  ['the other one, in capitals', { name: 'Mari %3E', ...ORGANISATION }, NAME],
  ['a symbol in the name of a person', { name: 'Mari @ home' }, NAME],
  ['a name of 256 characters', { name: 'x'.repeat(256) }, NAME],
  ['an empty name', { name: '' }, ['fieldMissing', 'name']],
  ['a name of spaces', { name: '   ' }, ['fieldMissing', 'name']],
  ['a name of a Hangul filler', { name: '\u3164' }, ['fieldMissing', 'name']],
  ['a name of an empty Braille pattern', { name: '\u2800' }, ['fieldMissing', 'name']],
  ['a phone of a zero-width space', { phone: '\u200b' }, ['fieldMissing', 'phone']],
  [
    'an identification of a zero-width space',
    identified('\u200b', 'org', 'LV'),
    ['fieldMissing', 'ident.ident'],
  ],
  ['a line break in a name', { name: 'Mari\nMaasikas' }, NAME],
  ['a NUL in a name', { name: 'Mari\0' }, NAME],
  ['a name on two lines', { name: 'Mari\u2028Maasikas' }, NAME],
  ['a name in two paragraphs', { name: 'Mari\u2029Maasikas' }, NAME],
  ['a name written backwards', { name: 'Mari\u202EsakisaaM' }, NAME],
  ['an e-mail without a domain', { email: 'mari@' }, EMAIL],
  ['an e-mail with two dots in a row', { email: 'a..b@example.ee' }, EMAIL],
  ['an e-mail that begins with a dot', { email: '.a@example.ee' }, EMAIL],
  ['a label that begins with a hyphen', { email: 'a@-example.ee' }, EMAIL],
  ['an e-mail of 300 characters', { email: `${'a'.repeat(60)}@${LONG_LABELS}.ee` }, EMAIL],
  ['a phone without a dot', { phone: '+3725551234' }, PHONE],
  ['a phone of zeros', { phone: '+372.000' }, PHONE],
  ['a country code of zeros', { phone: '+000.5551234' }, PHONE],
  ['a phone of 18 characters', { phone: '+372.5555555555555' }, PHONE],
  ['a code of 101 characters', { code: 'x'.repeat(101) }, CODE],
  ['an empty code', { code: '' }, ['fieldMissing', 'code']],
  ['a code of one dot', { code: '.' }, CODE],
  ['a code of dots', { code: '..' }, CODE],
  ['a code with a slash', { code: 'a/b' }, CODE],
  ['a code with a space', { code: 'no spaces' }, CODE],
  ['a wrong check digit', identified('60001019907', 'priv', 'EE'), IDENT],
  ['a personal code of a day that never was', identified('60002309909', 'priv', 'EE'), IDENT],
  ['a personal code with a future date of birth', identified('59912310012', 'priv', 'EE'), IDENT],
  ['a personal code of a future century', identified('80101010012', 'priv', 'EE'), IDENT],
  ['an Estonian registry code of 7 digits', identified('1234567', 'org', 'EE'), IDENT],
  ['markup in an identification', identified('<b>', 'org', 'FI'), IDENT],
  ['an identification of 101 characters', identified('1'.repeat(101), 'org', 'FI'), IDENT],
  ['an unknown country', identified('x', 'priv', 'XX'), ['wrongSyntax', 'ident.countryCode']],
  ['an unknown type', identified('x', 'alien', 'FI'), ['wrongSyntax', 'ident.type']],
  ['a birthday in Estonia', identified('1980-01-01', 'birthday', 'EE'), ['wrongSyntax', 'ident.type']],
  ['a birthday in Latvia', identified('1980-01-01', 'birthday', 'LV'), ['wrongSyntax', 'ident.type']],
  ['a birthday tomorrow', identified('2027-03-02', 'birthday', 'US'), IDENT],
  ['a birthday in the far future', identified('2999-01-01', 'birthday', 'US'), IDENT],
  ['a birthday 150 years and a day ago', identified('1877-02-28', 'birthday', 'US'), IDENT],
  ['a birthday on 30 February', identified('1980-02-30', 'birthday', 'US'), IDENT],
];

describe('the fields of a contact', () => {
  test.each(REFUSED)('failure: %s', (_what, changes, expected) => {
    expect(wrongIn(parse(changes))).toEqual([expected]);
  });

  test.each([['name'], ['email'], ['phone'], ['ident']])('failure: without its %s', (field) => {
    expect(wrongIn(without(field))).toEqual([['fieldMissing', field]]);
  });

  test('failure: all that is wrong, in the order of the document', () => {
    const text = {
      phone: '12',
      ident: { type: 'alien', ident: '5' },
      email: 'nobody',
      code: 'no spaces',
    };
    expect(wrongIn(parseNewContact(text, ee, today))).toEqual([
      ['wrongSyntax', 'code'],
      ['wrongSyntax', 'email'],
      ['wrongSyntax', 'phone'],
      ['wrongSyntax', 'ident.type'],
      ['fieldMissing', 'ident.countryCode'],
      ['fieldMissing', 'name'],
    ]);
  });

  test('success: without a code; all other fields as sent', () => {
    expect(taken(parse({}))).toEqual({
      name: PERSON.name,
      email: PERSON.email,
      phone: PERSON.phone,
      ident: { ident: '60001019906', type: 'priv', countryCode: 'EE' },
    });
  });

  test('success: trims name and e-mail and takes a country code in any case', () => {
    const text = {
      name: '  Õie Ülle-Mai O’Ža  ',
      email: ' oie@näide.ee ',
      ...identified('12345678', 'org', 'ee'),
    };
    expect(taken(parse(text))).toMatchObject({
      name: 'Õie Ülle-Mai O’Ža',
      email: 'oie@näide.ee',
      ident: { ident: '12345678', type: 'org', countryCode: 'EE' },
    });
  });

  test.each<[string, ContactText]>([
    ['an organisation with symbols in its name', { name: 'Kala & Pojad (100%) OÜ', ...ORGANISATION }],
    ['a name of 255 characters', { name: 'x'.repeat(255) }],
    ['a birthday where there is no personal code', identified('1980-02-29', 'birthday', 'US')],
    ['a birthday today', identified('2027-03-01', 'birthday', 'US')],
    ['a birthday 150 years ago', identified('1877-03-01', 'birthday', 'US')],
    ['any identification of another country', identified('FI-1234567-8', 'org', 'FI')],
    ['a code of 100 characters', { code: 'x'.repeat(100) }],
    ['a code of all its signs', { code: 'Mari.x:X_1-2' }],
    ['a code of three dots', { code: '...' }],
    ['a phone of 17 characters', { phone: '+372.555555555555' }],
  ])('success: %s', (_what, changes) => {
    expect(wrongIn(parse(changes))).toEqual([]);
  });

  test('success: a change has the fields that were sent, and no others', () => {
    expect(taken(parseContactFields({ phone: '+372.1' }, ee, today))).toEqual({ phone: '+372.1' });
    // Whether the name fits is decided by the identification that is stored.
    expect(wrongIn(parseContactFields({ name: 'Uus & Vana OÜ' }, ee, today))).toEqual([]);
    expect(wrongIn(parseContactFields({ name: 'Uus <Vana>' }, ee, today))).toEqual([NAME]);
  });
});
