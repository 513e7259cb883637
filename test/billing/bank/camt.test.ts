import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BankLine, withKeys } from '../../../src/billing/bank/bank-line.ts';
import { readCamt } from '../../../src/billing/bank/camt.ts';
import { camt, type Entry } from '../../support/camt.ts';
import { computed } from '../../support/running-time.ts';

const fixture = (name: string) => readFileSync(new URL(`./${name}.xml`, import.meta.url));
const read = (text: string) => () => readCamt(Buffer.from(text));
const keysOf = (lines: readonly BankLine[]) => withKeys(lines).map(({ keys }) => keys);
const HEAD = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">';

describe('readCamt', () => {
  test('success: a statement of one bank, version 02', () => {
    const { message, lines, pending } = readCamt(fixture('esimene-camt053'));
    expect({ message, pending }).toEqual({ message: 'EN20261113-000017', pending: 1 });
    expect(
      lines.map(({ amount, direction, isReturn, share }) => [amount, direction, isReturn, share]),
    ).toEqual([
      [12400n, 'credit', false, 'whole'],
      [6200n, 'credit', false, 'whole'],
      [1000n, 'credit', false, 'whole'],
      [15n, 'credit', false, 'whole'],
      [50000n, 'debit', false, 'whole'],
      [2400n, 'debit', true, 'whole'],
    ]);
    expect(lines[0]).toMatchObject({
      account: 'EE489900000000000001',
      bookedOn: '2026-11-13',
      referenceNumber: '1234561',
      description: 'Arve 150005',
      endToEndId: null,
      partyName: 'ALPHA REGISTRAR OÜ',
    });
    expect(lines[2]).toMatchObject({ partyName: 'Mari & Jüri', referenceNumber: null });
    expect(lines[3]).toMatchObject({ description: 'Konto intress 10.2026' });
  });

  test('success: a statement of another bank, version 08, with prefixes and a batch', () => {
    const { lines } = readCamt(fixture('teine-camt053'));
    expect(lines.map(({ amount, share, isReturn }) => [amount, share, isReturn])).toEqual([
      [12400n, 'part', false],
      [24800n, 'part', false],
      [1240n, 'whole', false],
      [2000n, 'whole', true],
    ]);
    expect(lines[0]).toMatchObject({ referenceNumber: 'RF28 7654 323', partyName: 'Beta Registrar AS' });
    expect(lines[3]).toMatchObject({ partyName: 'Keegi' });
  });

  test('success: a notification gives its payment the same key as the later statement', () => {
    const notified = keysOf(readCamt(fixture('esimene-camt054')).lines);
    expect(notified).toEqual(keysOf(readCamt(fixture('esimene-camt053')).lines).slice(0, 1));
  });

  test('success: both kinds and versions give the same lines for the same entries', () => {
    const text = fc.stringMatching(/^[\w &<>õäöü.,-]{1,40}$/).map((found) => found.trim() || 'x');
    const cents = fc.integer({ min: 1, max: 99_999_999 }).map((value) => (value / 100).toFixed(2));
    const entry: fc.Arbitrary<Entry> = fc.record(
      {
        amount: cents,
        debit: fc.boolean(),
        reversal: fc.boolean(),
        reference: text,
        text,
        referenceNumber: text,
        endToEndId: text,
        payer: text,
      },
      { requiredKeys: ['amount'] },
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
        const forms = (['053', '054'] as const).flatMap((kind) =>
          (['02', '08'] as const).map((version) => readCamt(camt(entries, { kind, version })).lines),
        );
        expect(forms[0]).toHaveLength(entries.length);
        for (const lines of forms) {
          expect(lines).toEqual(forms[0]);
          expect(keysOf(lines)).toEqual(keysOf(forms[0] ?? []));
        }
        const keys = keysOf(forms[0] ?? []);
        // Each line has its own keys, also where two are equal; another amount under one reference is distinguished later.
        const lines = forms[0] ?? [];
        const payments = keys.flatMap((own, index) =>
          own.map((key) => `${key} ${lines[index]?.direction} ${lines[index]?.amount}`),
        );
        expect(new Set(payments).size).toBe(payments.length);
      }),
    );
  });

  test('success: texts of payers become one line without terminal control characters', () => {
    const [line] = readCamt(
      camt([{ amount: '1.00', text: 'kaks\n\trida\u009b2J', payer: ' A\u0085B ' }]),
    ).lines;
    expect(line).toMatchObject({ description: 'kaks rida 2J', partyName: 'A B' });
  });

  test('success: a batch whose parts do not add up, or are missing, is one sum', () => {
    const parts = [{ amount: '1.00' }, { amount: '2.00' }];
    const shares = (entry: Entry) =>
      readCamt(camt([entry])).lines.map(({ share, amount }) => [share, amount]);
    expect(shares({ amount: '3.00', parts })).toEqual([
      ['part', 100n],
      ['part', 200n],
    ]);
    expect(shares({ amount: '3.01', parts })).toEqual([['batch', 301n]]);
    expect(
      shares({ amount: '3.00', parts: [{ amount: '1.00' }, { amount: '2.00', currency: 'USD' }] }),
    ).toEqual([['batch', 300n]]);
    expect(shares({ amount: '3.00', count: 2 })).toEqual([['batch', 300n]]);
  });

  test.each([
    ['nothing', '', /^It is no XML/],
    ['a truncated file', `${HEAD}<BkToCstmrStmt><Stmt>`, /^It is no XML: Premature end/],
    [
      'another document',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"/>',
      /^It is no camt/,
    ],
    [
      'an unknown version',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.99"/>',
      /^It is no camt/,
    ],
    ['no account', `${HEAD}<BkToCstmrStmt/></Document>`, /^It tells of no account/],
    [
      'a malformed account',
      camt([], { account: 'EE489900000000000002' }).toString(),
      /^It tells of an account without an IBAN/,
    ],
    ['an amount with three digits', camt([{ amount: '1.234' }]).toString(), /^An entry has no amount/],
    ['thirteen digits', camt([{ amount: '12345678901.00' }]).toString(), /^An entry has no amount/],
    [
      'no direction',
      camt([{ amount: '1.00' }])
        .toString()
        .replaceAll('CRDT', 'CRED'),
      /neither CRDT nor DBIT/,
    ],
    [
      'a reference without end',
      camt([{ amount: '1.00', reference: 'x'.repeat(141) }]).toString(),
      /more than 140/,
    ],
    ['no day', camt([{ amount: '1.00', day: '2026-02-30' }]).toString(), /no day on which it was booked/],
    [
      'custom entities',
      `<!DOCTYPE a [<!ENTITY x "1">]>${HEAD}<BkToCstmrStmt>&x;</BkToCstmrStmt></Document>`,
      /^It has a document type/,
    ],
    [
      'an entity out of a file',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${HEAD}&x;</Document>`,
      /^It has a document type/,
    ],
  ])('failure: %s is refused in one sentence', (_what, text, sentence) => {
    expect(read(text)).toThrow(sentence);
  });

  test('failure: entity expansion is refused immediately', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`,
    );
    const bomb = `<!DOCTYPE a [<!ENTITY a0 "lol">${levels.join('')}]>${HEAD}<a b="&a12;">&a12;</a></Document>`;
    const milliseconds = computed(() => expect(read(bomb)).toThrow(/^It (is no XML|has a document type)/));
    expect(milliseconds).toBeLessThan(2_000);
  });
});
