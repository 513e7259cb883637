import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidatesOf } from '../../../src/billing/bank/match-candidates.ts';
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

  test('failure: one other digit anywhere is noticed', () => {
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
        const told = line({ description: `${before}${text}${after}`, endToEndId: `ID-${other}` });
        expect(candidatesOf(told)).toEqual([[text], [other]]);
        expect(candidatesOf(line({ description: `${before} ${creditorReference(text)}` }))[0]).toContain(
          text,
        );
      }),
    );
  });

  test('failure: a wrong number in its own field means none, whatever the text says', () => {
    const told = { description: '1234561', endToEndId: '1234561' };
    expect(candidatesOf(line({ ...told, referenceNumber: '1234562' }))).toEqual([[]]);
    expect(candidatesOf(line({ ...told, referenceNumber: 'RF001234561' }))).toEqual([[]]);
    expect(candidatesOf(line({ ...told, referenceNumber: 'arve 5' }))).toEqual([[]]);
  });

  test('failure: part of a longer number, a wrong check digit, a short number in a text', () => {
    const found = (description: string) => candidatesOf(line({ description })).flat();
    expect(found('konto 991234561992')).not.toContain('1234561');
    expect(found('1234562')).toEqual([]);
    expect(found('13 domeeni')).toEqual([]);
    expect(found('')).toEqual([]);
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
