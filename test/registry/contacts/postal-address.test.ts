import { describe, expect, test } from 'vitest';
import { dayIn } from '../../../src/platform/values/dates.ts';
import { ee } from '../../../src/policy/ee.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import {
  type ContactText,
  isContactCode,
  parseContactChange,
  parseNewContact,
} from '../../../src/registry/contacts/contact-fields.ts';
import { generateContactCode } from '../../../src/registry/contacts/create-contact.ts';
import { type AddressText, isAddressDiscarded } from '../../../src/registry/contacts/postal-address.ts';
import { type Found, NOW, taken, wrongIn } from '../../support/decisions.ts';

const today = dayIn(ee.timeZone, NOW);
const PERSON = {
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: '+372.5551234',
  ident: { ident: '60001019906', type: 'priv', countryCode: 'EE' },
};
const COMPLETE = {
  street: ['Pikk 1', 'korter 2', 'III korrus'],
  city: 'Tallinn',
  state: 'Harjumaa',
  postalCode: '10123',
  countryCode: 'EE',
};
const SMALLEST = { city: 'Tallinn', countryCode: 'EE' };
const policyWith = (address: Policy['contacts']['address']): Policy => ({
  ...ee,
  contacts: { ...ee.contacts, address },
});
const parse = (text: ContactText, policy = ee) => parseNewContact({ ...PERSON, ...text }, policy, today);
const addressOf = (address: AddressText, policy = ee) => taken(parse({ address }, policy)).address;
const at = (name: string, member: string): Found => [name, `address.${member}`];

describe('a postal address', () => {
  test('success: complete, and with city and country only', () => {
    const { postalCode, countryCode, ...others } = COMPLETE;
    expect(addressOf(COMPLETE)).toEqual({ ...others, postalCode, countryCode });
    expect(addressOf(SMALLEST)).toEqual({ city: 'Tallinn', countryCode: 'EE' });
    expect(addressOf({ ...SMALLEST, street: [], state: undefined })).toEqual({
      city: 'Tallinn',
      countryCode: 'EE',
    });
  });

  test('success: texts are trimmed, the country in lower case, each at its maximum length', () => {
    const longest = 'ä'.repeat(255);
    const text = { street: [longest], city: ` ${longest} `, state: longest, postalCode: '1'.repeat(16) };
    expect(addressOf({ ...text, countryCode: ' ee ' })).toEqual({
      street: [longest],
      city: longest,
      state: longest,
      postalCode: '1'.repeat(16),
      countryCode: 'EE',
    });
  });

  test.each<[string, AddressText, Found]>([
    ['no city', { countryCode: 'EE' }, at('fieldMissing', 'city')],
    ['an empty city', { ...SMALLEST, city: ' ' }, at('fieldMissing', 'city')],
    ['a city of 256 characters', { ...SMALLEST, city: 'x'.repeat(256) }, at('wrongSyntax', 'city')],
    ['a city with markup', { ...SMALLEST, city: '<b>Tallinn' }, at('wrongSyntax', 'city')],
    ['an empty line', { ...SMALLEST, street: ['Pikk 1', ''] }, at('fieldMissing', 'street')],
    ['a line of 256 characters', { ...SMALLEST, street: ['x'.repeat(256)] }, at('wrongSyntax', 'street')],
    ['a line break in a line', { ...SMALLEST, street: ['Pikk\n1'] }, at('wrongSyntax', 'street')],
    ['four lines', { ...SMALLEST, street: ['a', 'b', 'c', 'd'] }, at('outOfRange', 'street')],
    ['an empty state', { ...SMALLEST, state: '' }, at('fieldMissing', 'state')],
    ['a state written backwards', { ...SMALLEST, state: '\u202Eaamujrah' }, at('wrongSyntax', 'state')],
    ['an empty postal code', { ...SMALLEST, postalCode: '' }, at('fieldMissing', 'postalCode')],
    [
      'a postal code of 17 characters',
      { ...SMALLEST, postalCode: '1'.repeat(17) },
      at('wrongSyntax', 'postalCode'),
    ],
    ['no country', { city: 'Tallinn' }, at('fieldMissing', 'countryCode')],
    ['an empty country', { ...SMALLEST, countryCode: '' }, at('fieldMissing', 'countryCode')],
    ['an unknown country', { ...SMALLEST, countryCode: 'XX' }, at('wrongSyntax', 'countryCode')],
    ['one letter', { ...SMALLEST, countryCode: 'U' }, at('wrongSyntax', 'countryCode')],
    ['three letters', { ...SMALLEST, countryCode: 'USA' }, at('wrongSyntax', 'countryCode')],
  ])('failure: %s', (_what, address, found) => {
    expect(wrongIn(parse({ address }))).toEqual([found]);
    expect(wrongIn(parseContactChange({ address }, ee, today))).toEqual([found]);
  });

  test('failure: all of them at once, after those of the other fields', () => {
    const address = { street: [''], city: '', countryCode: 'XX' };
    expect(wrongIn(parse({ phone: 'x', address, authInfo: '' }))).toEqual([
      ['wrongSyntax', 'phone'],
      at('fieldMissing', 'street'),
      at('fieldMissing', 'city'),
      at('wrongSyntax', 'countryCode'),
      ['fieldMissing', 'authInfo'],
    ]);
  });
});

describe('the policy for addresses', () => {
  test('success: none discards even a wrong one', () => {
    const none = policyWith('none');
    expect(addressOf({ city: '' }, none)).toBeUndefined();
    expect(isAddressDiscarded({ address: { city: '' } }, none)).toBe(true);
    expect(isAddressDiscarded({}, none)).toBe(false);
    expect(isAddressDiscarded({ address: SMALLEST }, ee)).toBe(false);
  });

  test('failure: required, and absent from a new contact; a change need not carry it', () => {
    const required = policyWith('required');
    expect(wrongIn(parse({}, required))).toEqual([['fieldMissing', 'address']]);
    expect(wrongIn(parse({ address: SMALLEST }, required))).toEqual([]);
    expect(wrongIn(parseContactChange({ name: 'Mari' }, required, today))).toEqual([]);
    expect(wrongIn(parse({}))).toEqual([]);
  });
});

describe('auth_info', () => {
  test.each(['2fooBAR', 'õ', ' with spaces ', '🗝'.repeat(64)])('success: %s is kept as sent', (authInfo) => {
    expect(taken(parse({ authInfo })).authInfo).toBe(authInfo);
  });

  test.each(['x'.repeat(65), 'a\tb', 'a\0'])('failure: %j', (authInfo) => {
    expect(wrongIn(parse({ authInfo }))).toEqual([['wrongSyntax', 'authInfo']]);
  });
});

test.each([
  ['AB', /^AB:[0-9a-f]{8}$/],
  ['SEVENTH', /^SEVENTH:[0-9a-f]{8}$/],
  ['A_REGISTRAR-WITH-A-LONG-CODE-32C', /^A_REGIS:[0-9a-f]{8}$/],
])('success: a generated code of %s fits 16 characters', (registrar, expected) => {
  const code = generateContactCode(registrar);
  expect(code).toMatch(expected);
  expect(code.length).toBeLessThanOrEqual(16);
  expect(isContactCode(code, ee)).toBe(true);
});
