import { describe, expect, test } from 'vitest';
import { readAccountingAnswer } from '../../../src/billing/exports/accounting/directo.ts';

const read = (text: string, { numbers = [1, 2], repeated = false } = {}) =>
  readAccountingAnswer(Buffer.from(text), numbers, { repeated });
const results = (...items: string[]) => `<results>${items.join('')}</results>`;
const ok = (number: number) =>
  `<Result Type="0" Desc="OK" docid="${number}" doctype="ARVE" submit="Invoices"/>`;

describe('answers of the accounting service', () => {
  test('success: item by item, in any order', async () => {
    expect(await read(results(ok(2), '<Result Type="2" Desc="Unknown customer" docid="1"/>'))).toEqual([
      { number: 1, accepted: false, reason: 'Unknown customer (2)' },
      { number: 2, accepted: true },
    ]);
  });

  test('success: names in lower case, another encoding, items of others skipped', async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${results(ok(7), '<result type="3" desc="Vale käibemaks" docid=" 1 "/>', ok(2))}`;
    expect(await readAccountingAnswer(Buffer.from(text, 'latin1'), [1, 2], { repeated: false })).toEqual([
      { number: 1, accepted: false, reason: 'Vale käibemaks (3)' },
      { number: 2, accepted: true },
    ]);
  });

  test('failure: an invoice missing from the answer is not accepted', async () => {
    expect(await read(results(ok(1)))).toEqual([
      { number: 1, accepted: true },
      { number: 2, accepted: false, reason: 'the answer does not tell of it' },
    ]);
  });

  test('success: a duplicate is ours where an earlier attempt may have created it, and of unknown origin otherwise', async () => {
    const text = results(ok(1), '<Result Type="1" Desc="Duplicate" docid="2"/>');
    expect((await read(text, { repeated: true }))[1]).toEqual({ number: 2, accepted: true });
    expect((await read(text))[1]).toEqual({ number: 2, accepted: false, reason: 'Duplicate (1)' });
  });

  test('failure: a rejection without a reason', async () => {
    expect(await read('<results><Result Type="" docid="1"/></results>', { numbers: [1] })).toEqual([
      { number: 1, accepted: false, reason: '()' },
    ]);
  });

  test.each([
    ['nothing', '', /cannot be read/],
    ['a page', '<html><body>Later<br></body></html>', /cannot be read/],
    ['JSON', '{"results":[]}', /cannot be read/],
    ['other XML', '<invoices/>', /cannot be read/],
    ['no results', '<results/>', /cannot be read/],
    ['only those of others', results(ok(7)), /Answered about no invoice: OK \(0\)/],
    ['a refusal of everything', '<result type="5" desc="Unauthorized"/>', /Unauthorized \(5\)/],
    [
      'a document with definitions',
      '<!DOCTYPE r [<!ENTITY e "1">]><results><Result Type="0" docid="&e;"/></results>',
      /cannot be read/,
    ],
  ])('failure: %s is no answer', async (_what, text, complaint) => {
    await expect(read(text)).rejects.toThrow(complaint);
  });
});
