import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  candidatesOf,
  chooseOwner,
  type ReferenceOwner,
  whyUnbookable,
} from '../../../src/billing/bank/match-rules.ts';
import { checkDigit, isReferenceNumber } from '../../../src/billing/invoices/reference-numbers.ts';
import { isIban, mod97 } from '../../../src/platform/values/money.ts';

const number = fc
  .bigInt({ min: 1_000n, max: 10n ** 19n - 1n })
  .map((base) => `${base}${checkDigit(String(base))}`);
const word = fc.stringMatching(/^[a-zõäöü ,.;:/-]{0,20}$/);
const creditorReference = (national: string): string =>
  `RF${String(98 - mod97(`${national}RF00`)).padStart(2, '0')}${national}`;
const line = (details: { referenceNumber?: string; description?: string; endToEndId?: string }) => ({
  referenceNumber: details.referenceNumber ?? null,
  description: details.description ?? '',
  endToEndId: details.endToEndId ?? null,
});

describe('the check digit of the 7-3-1 method', () => {
  test.each(['1234561', '7654323', '13', '7734230'])('success: %s is right', (text) => {
    expect(isReferenceNumber(text)).toBe(true);
  });

  test('failure: any single changed digit is detected', () => {
    fc.assert(
      fc.property(number, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, where, by) => {
        const at = where % text.length;
        const other = `${text.slice(0, at)}${(Number(text[at]) + by) % 10}${text.slice(at + 1)}`;
        // Weights 7, 3 and 1 have no factor in common with ten, so no single digit can change unseen.
        expect(isReferenceNumber(other)).toBe(false);
      }),
    );
  });
});

describe('candidatesOf', () => {
  test('success: the number in its own field, also as a creditor reference and with zeros before it', () => {
    fc.assert(
      fc.property(number, fc.constantFrom('', '0', '000'), (text, zeros) => {
        expect(candidatesOf(line({ referenceNumber: `${zeros}${text}` })).flat()).toContain(text);
        const international = creditorReference(`${zeros}${text}`);
        expect(candidatesOf(line({ referenceNumber: international })).flat()).toEqual([text]);
        const spaced = international.replaceAll(/(.{4})/g, '$1 ').toLowerCase();
        expect(candidatesOf(line({ referenceNumber: spaced })).flat()).toEqual([text]);
      }),
    );
  });

  test('success: a number anywhere in a text, before that in the end-to-end id', () => {
    fc.assert(
      fc.property(number, number, word, word, (text, other, before, after) => {
        const transfer = line({ description: `${before}${text}${after}`, endToEndId: `ID-${other}` });
        expect(candidatesOf(transfer)).toEqual([[text], [other]]);
        expect(candidatesOf(line({ description: `${before} ${creditorReference(text)}` }))[0]).toContain(
          text,
        );
      }),
    );
  });

  test('failure: a wrong number in its own field matches nothing, whatever the text says', () => {
    const texts = { description: '1234561', endToEndId: '1234561' };
    expect(candidatesOf(line({ ...texts, referenceNumber: '1234562' }))).toEqual([[]]);
    expect(candidatesOf(line({ ...texts, referenceNumber: 'RF001234561' }))).toEqual([[]]);
    expect(candidatesOf(line({ ...texts, referenceNumber: 'arve 5' }))).toEqual([[]]);
  });

  test('failure: part of a longer number, a wrong check digit, a short number in a text', () => {
    const found = (description: string) => candidatesOf(line({ description })).flat();
    expect(found('konto 991234561992')).not.toContain('1234561');
    expect(found('1234562')).toEqual([]);
    expect(found('13 domeeni')).toEqual([]);
    expect(found('')).toEqual([]);
  });
});

describe('chooseOwner', () => {
  const owned = (number: string, details: Partial<ReferenceOwner> = {}): ReferenceOwner => ({
    number,
    initiator: 'registry',
    owner: 'alpha',
    registrarId: 1,
    ...details,
  });
  const [ONE, TWO] = ['1234561', '7654323'];
  const both = line({ description: `${ONE} ${TWO}` });

  test('success: the owner of the reference number', () => {
    expect(chooseOwner(line({ referenceNumber: ONE }), [owned(ONE)])).toEqual(owned(ONE));
  });

  test('success: several numbers of one owner', () => {
    expect(chooseOwner(both, [owned(ONE), owned(TWO)])).toEqual(owned(ONE));
  });

  test('success: a known number in the text precedes one in the end-to-end id, which is used where the text has none', () => {
    const transfer = line({ description: ONE, endToEndId: TWO });
    const [first, second] = [owned(ONE), owned(TWO, { owner: 'beta', registrarId: 2 })];
    expect(chooseOwner(transfer, [first, second])).toEqual(first);
    expect(chooseOwner(transfer, [second])).toEqual(second);
  });

  test.each<[string, ReferenceOwner]>([
    ['of another owner', owned(TWO, { owner: 'beta', registrarId: 2 })],
    ['of another initiator', owned(TWO, { initiator: 'business_registry', registrarId: null })],
  ])('failure: a second number %s', (_what, other) => {
    expect(chooseOwner(both, [owned(ONE), other])).toBe('references several');
  });

  test('failure: numbers without an owner are not of one owner', () => {
    const [one, two] = [ONE, TWO].map((number) => owned(number, { owner: null, registrarId: null }));
    expect(
      chooseOwner(
        both,
        [one, two].filter((known) => known !== undefined),
      ),
    ).toBe('references several');
  });

  test('failure: no number, and an unassigned number', () => {
    expect(chooseOwner(line({ description: 'arve' }), [])).toBe('reference missing');
    expect(chooseOwner(line({ description: ONE }), [])).toBe('reference missing');
    expect(chooseOwner(line({ referenceNumber: ONE }), [])).toBe('reference unknown');
  });
});

describe('whyUnbookable', () => {
  const own = { isReturn: false, share: 'whole', currency: 'EUR' } as const;
  test('success: a whole payment in the own currency can be booked', () => {
    expect(whyUnbookable(own, 'EUR')).toBeUndefined();
  });

  test.each([
    ['return', { ...own, isReturn: true }],
    ['batch', { ...own, share: 'batch' as const }],
    ['currency', { ...own, currency: 'USD' }],
  ])('failure: %s', (reason, details) => {
    expect(whyUnbookable(details, 'EUR')).toBe(reason);
  });
});

describe('isIban', () => {
  test('success: right check digits', () => {
    expect(['EE489900000000000001', 'EE471000001020145685', 'GB82WEST12345698765432'].every(isIban)).toBe(
      true,
    );
  });

  test('failure: a wrong digit, a letter too few, spaces', () => {
    expect(['EE489900000000000002', 'E489900000000000001', 'EE48 9900 0000 0000 0001', ''].some(isIban)).toBe(
      false,
    );
  });
});
