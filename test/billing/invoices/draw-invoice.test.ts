import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { PrintedInvoice } from '../../../src/billing/invoices/draw-invoice.ts';
import type { Status } from '../../../src/billing/invoices/invoice.ts';
import { invoicePdf } from '../../../src/billing/invoices/print-invoice.ts';
import { ee } from '../../../src/policy/ee.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { overlaps, type ReadPdf, readPdf } from '../../support/pdf.ts';

const { seller } = ee.billing;

const invoice: PrintedInvoice = {
  number: 150005,
  status: 'unpaid',
  issuedOn: '2026-03-09',
  dueDate: '2026-04-08',
  paidOn: null,
  buyer: { name: 'Õnnelik Šokolaad OÜ', email: 'arved@sokolaad.example' },
  referenceNumber: '1500051',
  currency: 'EUR',
  lines: [
    { description: 'Ettemaks / Prepayment', quantity: 1, net: 123456n },
    { description: 'šokolaad.ee, 2 aastat / years', quantity: 2, net: 1200n },
  ],
  net: 124656n,
  vat: 29917n,
  vatPercent: '24',
  amount: 154573n,
  paymentLink: 'https://pay.example/p/1?lang=et&x=õ',
};

const print = (changes: Partial<PrintedInvoice> = {}) => invoicePdf({ ...invoice, ...changes }, seller);
const read = async (changes: Partial<PrintedInvoice> = {}) => readPdf(await print(changes));
const lineOf = ({ pages }: ReadPdf, start: string) =>
  pages
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith(start));

/** Everything is on the page and nothing overlaps. */
function expectTidy({ pieces }: ReadPdf): void {
  expect(overlaps(pieces)).toEqual([]);
  const outside = pieces.filter(({ x, y, width }) => x < 49 || x + width > 546 || y < 30 || y > 800);
  expect(outside).toEqual([]);
}

describe('the content of an invoice', () => {
  test('success: seller, buyer, days, lines, sums and the ways to pay are text on one page', async () => {
    const pdf = await read();
    expect(pdf.pages).toHaveLength(1);
    await expect(pdf.pages[0]).toMatchFileSnapshot('unpaid-invoice.txt');
    expectTidy(pdf);
  });

  test('success: net, VAT with its rate, and total have their labels', async () => {
    const pdf = await read({ vatPercent: '22.5' });
    expect(lineOf(pdf, 'Summa käibemaksuta')).toEqual(['Summa käibemaksuta / Net total 1 246.56']);
    expect(lineOf(pdf, 'Käibemaks')).toEqual(['Käibemaks / VAT 22.5% 299.17']);
    expect(lineOf(pdf, 'Tasuda')).toEqual(['Tasuda / To pay, EUR 1 545.73']);
  });

  test.each([
    ['unpaid', 'TASUMATA / UNPAID', true],
    ['failed', 'MAKSE EBAÕNNESTUS / PAYMENT FAILED', true],
    ['overdue', 'TÄHTAEG ÜLETATUD / OVERDUE', true],
    ['paid', 'TASUTUD / PAID', false],
    ['refunded', 'TAGASTATUD / REFUNDED', false],
    ['cancelled', 'TÜHISTATUD / CANCELLED', false],
  ] satisfies [Status, string, boolean][])(
    'success: an invoice that is %s says "%s" and shows how to pay: %s',
    async (status, mark, payable) => {
      const pdf = await read({ status });
      const [page = ''] = pdf.pages;
      expect(page).toContain(mark);
      for (const text of [
        'EE48 9900 0000 0000 0001',
        'Maksetähtpäev / Due date 08.04.2026',
        'Tasuda / To pay',
      ]) {
        expect(page.includes(text)).toBe(payable);
      }
      expect(page.includes('Kokku / Total, EUR 1 545.73')).toBe(!payable);
      expect(pdf.links).toEqual(payable ? ['https://pay.example/p/1?lang=et&x=%C3%B5'] : []);
      expectTidy(pdf);
    },
  );

  test('success: a paid invoice shows the day of payment', async () => {
    const pdf = await read({ status: 'paid', paidOn: '2026-03-12' });
    expect(pdf.pages[0]).toContain('Tasutud / Paid on 12.03.2026');
  });

  test('success: unknown values are left out', async () => {
    const pdf = await read({
      buyer: { name: null, email: null },
      referenceNumber: null,
      paymentLink: null,
      lines: [],
    });
    expect(pdf.pages[0]).not.toMatch(/null|undefined|Viitenumber|Maksa veebis|Ostja/);
    expectTidy(pdf);
  });

  test('success: a buyer of whom only the e-mail address is known', async () => {
    const pdf = await read({ buyer: { name: ' ', email: 'arved@sokolaad.example' } });
    const [label, email] = ['Ostja / Buyer', 'arved@sokolaad.example'].map(
      (text) => pdf.pieces.find((piece) => piece.text === text)?.y ?? 0,
    );
    expect((label ?? 0) - (email ?? 0)).toBeLessThan(16);
    expectTidy(pdf);
  });

  test('success: the link is a short text, and leads to the whole address', async () => {
    const paymentLink = `https://pay.example/lp?${'custom_field_1=x&'.repeat(20)}hmac=${'0f'.repeat(32)}`;
    const pdf = await read({ paymentLink });
    expect(lineOf(pdf, 'Maksa veebis')).toEqual([
      'Maksa veebis / Pay online Ava makseleht / Open the payment page: pay.example',
    ]);
    expect(pdf.links).toEqual([paymentLink]);
    expect(pdf.pages[0]).not.toContain('hmac');
  });

  test('success: negative and very large sums are printed in full', async () => {
    const pdf = await read({ net: -5n, amount: 999_999_999_999_999n });
    expect(lineOf(pdf, 'Summa käibemaksuta')).toEqual(['Summa käibemaksuta / Net total -0.05']);
    expect(lineOf(pdf, 'Tasuda')).toEqual(['Tasuda / To pay, EUR 9 999 999 999 999.99']);
    expectTidy(pdf);
  });

  test.each([
    ['Estonian', 'Õäöü Šašlõkk ja Žürii OÜ'],
    ['Russian and Ukrainian', 'ТОВ «Їжак і Ґудзик» Съезд'],
    ['Greek', 'Ελληνική Εταιρεία Άνθος'],
    ['Polish', 'Łódź Źródło sp. z o.o.'],
    ['Georgian', 'საქართველო'],
    ['Armenian', 'Հայաստան'],
    ['Vietnamese', 'Nguyễn Thị Hương'],
    ['letters that other fonts join', 'Office fluffy fjord'],
  ])('success: %s is read back as it was written', async (_, name) => {
    const pdf = await read({ buyer: { name, email: null } });
    expect(pdf.pieces.map(({ text }) => text)).toContain(name);
  });
});

describe('pages', () => {
  const lines = Array.from({ length: 120 }, (_, index) => ({
    description: `nimi-${index + 1}.ee ${'pikendamine '.repeat(index % 10)}`,
    quantity: 1,
    net: 600n,
  }));

  test('success: many lines span pages, each with the table header, and the sums appear once', async () => {
    const pdf = await read({ lines });
    const { pages } = pdf;
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.filter((page) => page.includes('Kirjeldus / Description'))).toHaveLength(pages.length);
    for (const [index, page] of pages.entries())
      expect(page).toContain(`Leht / Page ${index + 1}/${pages.length}`);
    expect(pages.join('\n').match(/^nimi-\d+\.ee/gm)).toEqual(
      lines.map((_, index) => `nimi-${index + 1}.ee`),
    );
    expect(pages.findIndex((page) => page.includes('To pay, EUR'))).toBe(pages.length - 1);
    expect(lineOf(pdf, 'Tasuda')).toHaveLength(1);
    expectTidy(pdf);
  });

  test('success: wherever a page breaks, the sums and the ways to pay stay together', async () => {
    const short = { description: 'nimi.ee', quantity: 1, net: 600n };
    for (let count = 8; count <= 30; count++) {
      const pdf = await read({ lines: Array.from({ length: count }, () => short) });
      const last = pdf.pages.at(-1) ?? '';
      expect(last).toContain('Summa käibemaksuta');
      expect(last).toContain('Maksa veebis');
      expectTidy(pdf);
    }
  });
});

describe('the file', () => {
  test('success: the same invoice gives the same bytes, whatever was printed before it', async () => {
    const first = await print();
    expect((await print()).equals(first)).toBe(true);
    expect((await print({ status: 'paid' })).equals(first)).toBe(false);
    vi.resetModules();
    const reloaded = await import('../../../src/billing/invoices/print-invoice.ts');
    await reloaded.invoicePdf(
      { ...invoice, buyer: { name: '\ufb01 \ufb00 \u00b5', email: '\ufb01 \u00b5' } },
      seller,
    );
    expect((await reloaded.invoicePdf(invoice, seller)).equals(first)).toBe(true);
  });

  test('success: its properties name the invoice and the seller, and nothing about the machine', async () => {
    const pdf = await print();
    const { info } = await readPdf(pdf);
    expect(info).toMatchObject({
      Title: 'Arve / Invoice 150005',
      Author: seller.name,
      Creator: 'Cadastre',
      Producer: 'Cadastre',
      CreationDate: 'D:20260309000000Z',
    });
    expect(pdf.toString('latin1')).not.toMatch(/node_modules|file:|\.ttf/);
    expect(pdf.length).toBeLessThan(40_000);
  });
});

describe('untrusted texts', () => {
  test('failure: a description of 10,000 characters is cut, with and without spaces', async () => {
    for (const description of ['x'.repeat(10_000), 'W W'.repeat(5_000), 'õ '.repeat(5_000)]) {
      const pdf = await read({ lines: [{ description, quantity: 1, net: 600n }] });
      expect(pdf.pages.join('\n')).toContain('…');
      expect(lineOf(pdf, 'Tasuda')).toEqual(['Tasuda / To pay, EUR 1 545.73']);
      expectTidy(pdf);
    }
  });

  test('failure: control characters, bidirectional marks and line ends are not printed', async () => {
    const name = 'a\u0000b\r\nc\u202Ed\u2066e\u200Ff\u00ADg\u2028h\u200Bi';
    const pdf = await read({ buyer: { name, email: null } });
    expect(pdf.pieces.map(({ text }) => text)).toContain('a b cdefg hi');
  });

  test('failure: characters missing in the font are printed as U+FFFD', async () => {
    const pdf = await read({ buyer: { name: 'A日😀\ud800B', email: null } });
    expect(pdf.pieces.map(({ text }) => text)).toContain('A\ufffd\ufffd\ufffdB');
  });

  test('failure: stacked accents stay on their line', async () => {
    const pdf = await read({ buyer: { name: `z${'\u0335'.repeat(5_000)}`, email: null } });
    expect(pdf.pieces.map(({ text }) => text)).toContain('z\u0335\u0335\u0335');
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'no address', ''])(
    'failure: the payment link "%s" cannot be clicked',
    async (paymentLink) => {
      expect((await read({ paymentLink })).links).toEqual([]);
    },
  );

  test('failure: no text breaks the document or moves its sums', async () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 600 }),
      fc.string({ unit: 'grapheme', maxLength: 600 }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (name, email, description, other) => {
        const lines = [description, other].map((text) => ({ description: text, quantity: 1, net: 1n }));
        const pdf = await read({ buyer: { name, email }, lines, referenceNumber: other, paymentLink: name });
        expect(lineOf(pdf, 'Tasuda')).toEqual(['Tasuda / To pay, EUR 1 545.73']);
        expect(pdf.pages.length).toBeLessThan(3);
      }),
      { numRuns: 40 },
    );
  });
});
