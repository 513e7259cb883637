import type { Cents } from '../../platform/values/money.ts';
import type { Seller } from '../../policy/policy.ts';
import {
  BOTTOM,
  bytesOf,
  FOOT,
  heightOf,
  LEFT,
  newSheet,
  RIGHT,
  rule,
  SHADE,
  type Sheet,
  type Style,
  styles,
  TOP,
  widthOf,
  write,
} from '../pdf/sheet.ts';
import { isPayable, type Status } from './invoice.ts';
import { amountText, dayText, ibanText, labels, printable, statusMarks } from './invoice-labels.ts';

/** The bytes do not depend on time or machine; pdfkit derives the document ID from these fields. */
export function drawInvoice(invoice: PrintedInvoice, seller: Seller): Promise<Buffer> {
  const sheet = newSheet({
    Title: `${labels.invoice} ${invoice.number}`,
    Subject: statusMarks[invoice.status].text,
    Author: printable(seller.name, 200),
    Creator: 'Cadastre',
    Producer: 'Cadastre',
    CreationDate: new Date(`${invoice.issuedOn}T00:00:00Z`),
  });
  const belowHead = drawHead(sheet, invoice, seller);
  const belowLines = drawLines(sheet, invoice, belowHead);
  drawClose(sheet, invoice, seller, belowLines);
  drawFeet(sheet, invoice);
  return bytesOf(sheet);
}

const MIDDLE = 310;
const LEFT_WIDTH = MIDDLE - LEFT - 20;
const RIGHT_WIDTH = RIGHT - MIDDLE;

/** Seller, title, buyer and dates. Returns the y below. */
function drawHead(sheet: Sheet, invoice: PrintedInvoice, seller: Seller): number {
  const below = Math.max(drawSeller(sheet, seller), drawTitle(sheet, invoice)) + 14;
  rule(sheet, below);
  const from = below + 14;
  return Math.max(drawBuyer(sheet, invoice, from), drawFacts(sheet, invoice, from)) + 22;
}

export function drawSeller(sheet: Sheet, seller: Seller): number {
  const box = { x: LEFT, width: LEFT_WIDTH };
  let y = write(sheet, printable(seller.name, 200), styles.name, { ...box, y: TOP }) + 4;
  const lines = [
    ...seller.address,
    `${labels.registryCode} ${seller.registryCode}`,
    `${labels.vatNumber} ${seller.vatNumber}`,
    seller.email,
  ];
  for (const line of lines) y = write(sheet, printable(line, 200), styles.label, { ...box, y }) + 1;
  return y;
}

function drawTitle(sheet: Sheet, { number, status }: PrintedInvoice): number {
  const box = { x: MIDDLE, width: RIGHT_WIDTH, align: 'right' } as const;
  const y = write(sheet, labels.invoice, styles.title, { ...box, y: TOP - 6 });
  const below = write(sheet, `nr / no. ${number}`, styles.total, { ...box, y: y + 2 });
  return drawMark(sheet, statusMarks[status], below + 10);
}

/** A framed status mark at the right edge. */
function drawMark(sheet: Sheet, { text, colour }: { text: string; colour: string }, y: number): number {
  const style = { ...styles.strong, colour };
  const width = widthOf(sheet, text, style) + 20;
  const x = RIGHT - width;
  sheet.roundedRect(x, y, width, 20, 3).lineWidth(1.2).strokeColor(colour).stroke();
  write(sheet, text, style, { x, y: y + 5, width, align: 'center' });
  return y + 20;
}

function drawBuyer(sheet: Sheet, { buyer }: PrintedInvoice, from: number): number {
  const box = { x: LEFT, width: LEFT_WIDTH };
  const [name, email] = [printable(buyer.name ?? '', 255), printable(buyer.email ?? '', 254)];
  if (name === '' && email === '') return from;
  let y = write(sheet, labels.buyer, styles.label, { ...box, y: from }) + 3;
  if (name !== '') y = write(sheet, name, styles.name, { ...box, y }) + 2;
  return email === '' ? y : write(sheet, email, styles.plain, { ...box, y });
}

function drawFacts(sheet: Sheet, invoice: PrintedInvoice, from: number): number {
  const { issuedOn, dueDate, paidOn, referenceNumber } = invoice;
  const facts = [
    [labels.issuedOn, dayText(issuedOn)],
    isPayable(invoice) && [labels.dueDate, dayText(dueDate)],
    paidOn !== null && [labels.paidOn, dayText(paidOn)],
    referenceNumber !== null && [labels.referenceNumber, printable(referenceNumber, 40)],
  ];
  let y = from;
  for (const [label = '', value = ''] of facts.filter((fact) => fact !== false)) {
    write(sheet, label, styles.label, { x: MIDDLE, y: y + 1, width: 135 });
    y =
      write(sheet, value, styles.strong, { x: MIDDLE + 135, y, width: RIGHT_WIDTH - 135, align: 'right' }) +
      4;
  }
  return y;
}

const PAD = 6;
const AMOUNT = { x: RIGHT - PAD - 95, width: 95, align: 'right' } as const;
const QUANTITY = { x: AMOUNT.x - 5 - 65, width: 65, align: 'right' } as const;
const DESCRIPTION = { x: LEFT + PAD, width: QUANTITY.x - 15 - LEFT - PAD } as const;

/** About ten printed lines; longer descriptions would fill a page. */
const MAX_DESCRIPTION_LENGTH = 500;

/** The table, with its heading repeated on every page. Returns the y below it, on the last page. */
function drawLines(sheet: Sheet, invoice: PrintedInvoice, from: number): number {
  let y = drawTableHead(sheet, invoice, from);
  for (const line of invoice.lines) {
    const description = printable(line.description, MAX_DESCRIPTION_LENGTH);
    const height = rowHeight(sheet, description);
    if (y + height > BOTTOM) y = drawTableHead(sheet, invoice, nextPage(sheet, invoice));
    drawRow(sheet, line, description, y + PAD - 1);
    y += height;
    rule(sheet, y);
  }
  return y;
}

/** A new page with the invoice number. */
function nextPage(sheet: Sheet, { number }: PrintedInvoice): number {
  sheet.addPage();
  return write(sheet, `${labels.invoice} ${number}`, styles.strong, { x: LEFT, y: TOP, width: 300 }) + 8;
}

function drawTableHead(sheet: Sheet, { currency }: PrintedInvoice, y: number): number {
  sheet.rect(LEFT, y, RIGHT - LEFT, 21).fill(SHADE);
  const at = { y: y + 6 };
  write(sheet, labels.description, styles.label, { ...DESCRIPTION, ...at });
  write(sheet, labels.quantity, styles.label, { ...QUANTITY, ...at });
  write(sheet, `${labels.lineNet}, ${printable(currency, 3)}`, styles.label, { ...AMOUNT, ...at });
  return y + 21;
}

function rowHeight(sheet: Sheet, description: string): number {
  return Math.max(heightOf(sheet, description, styles.plain, DESCRIPTION.width), 10.5) + 2 * PAD - 1;
}

function drawRow(sheet: Sheet, { quantity, net }: PrintedLine, description: string, y: number): void {
  write(sheet, description, styles.plain, { ...DESCRIPTION, y });
  write(sheet, String(quantity), styles.plain, { ...QUANTITY, y });
  write(sheet, amountText(net), styles.plain, { ...AMOUNT, y });
}

const SUMS_LEFT = 230;
const SUMS_MIDDLE = SUMS_LEFT + 156;
const SUMS_HEIGHT = 72;
const LABEL_WIDTH = 150;
const VALUE_WIDTH = RIGHT - LEFT - LABEL_WIDTH - 24;

/** The totals and payment details, never split over two pages. */
function drawClose(sheet: Sheet, invoice: PrintedInvoice, seller: Seller, from: number): void {
  const payment = isPayable(invoice) ? paymentRows(invoice, seller) : [];
  const paymentHeight = payment.reduce((sum, row) => sum + sumRowHeight(sheet, row), 38);
  const needed = SUMS_HEIGHT + (payment.length > 0 ? 18 + paymentHeight : 0);
  const y = from + needed > BOTTOM ? nextPage(sheet, invoice) : from + 10;
  drawSums(sheet, invoice, y);
  if (payment.length > 0) drawPayment(sheet, payment, y + SUMS_HEIGHT + 8, paymentHeight);
}

function drawSums(sheet: Sheet, invoice: PrintedInvoice, from: number): void {
  const { net, vat, vatPercent, amount, currency } = invoice;
  const total = `${isPayable(invoice) ? labels.toPay : labels.total}, ${printable(currency, 3)}`;
  drawSum(sheet, labels.net, amountText(net), styles.plain, from);
  drawSum(sheet, `${labels.vat} ${printable(vatPercent, 8)}%`, amountText(vat), styles.plain, from + 16);
  sheet.rect(SUMS_LEFT, from + 36, RIGHT - SUMS_LEFT, 28).fill(SHADE);
  drawSum(sheet, total, amountText(amount), styles.total, from + 43);
}

function drawSum(sheet: Sheet, label: string, amount: string, style: Style, y: number): void {
  write(sheet, label, style, { x: SUMS_LEFT + 6, y, width: 150 });
  write(sheet, amount, style, { x: SUMS_MIDDLE, y, width: RIGHT - 6 - SUMS_MIDDLE, align: 'right' });
}

type Row = { readonly label: string; readonly value: string; readonly link?: string };

function paymentRows(invoice: PrintedInvoice, seller: Seller): Row[] {
  const { number, dueDate, referenceNumber, paymentLink } = invoice;
  const rows: Row[] = [{ label: labels.beneficiary, value: printable(seller.name, 200) }];
  for (const { bank, iban } of seller.bankAccounts) {
    rows.push({ label: printable(bank, 60), value: ibanText(printable(iban, 34)) });
  }
  if (referenceNumber !== null) {
    rows.push({ label: labels.referenceNumber, value: printable(referenceNumber, 40) });
  }
  rows.push({ label: labels.explanation, value: `${labels.invoice} ${number}` });
  rows.push({ label: labels.dueDate, value: dayText(dueDate) });
  if (paymentLink !== null) rows.push(...linkRows(paymentLink));
  return rows;
}

/** A signed link has some 400 characters that nobody types: the text names its host. Only http(s) can be clicked. */
function linkRows(paymentLink: string): Row[] {
  const address = URL.parse(paymentLink);
  if (!address || !/^https?:$/.test(address.protocol)) return [];
  const value = `${labels.paymentPage} ${printable(address.host, 100)}`;
  return [{ label: labels.payOnline, value, link: address.href }];
}

function sumRowHeight(sheet: Sheet, { value }: Row): number {
  return heightOf(sheet, value, styles.strong, VALUE_WIDTH) + 4;
}

function drawPayment(sheet: Sheet, rows: readonly Row[], from: number, height: number): void {
  sheet
    .roundedRect(LEFT, from, RIGHT - LEFT, height, 4)
    .lineWidth(0.8)
    .strokeColor('#9aa3ad')
    .stroke();
  const x = LEFT + 12;
  let y = write(sheet, labels.payment, styles.name, { x, y: from + 11, width: VALUE_WIDTH }) + 7;
  for (const row of rows) {
    write(sheet, row.label, styles.label, { x, y: y + 1, width: LABEL_WIDTH - 6 });
    const style = row.link === undefined ? styles.strong : styles.link;
    write(sheet, row.value, style, { x: x + LABEL_WIDTH, y, width: VALUE_WIDTH, link: row.link });
    y += sumRowHeight(sheet, row);
  }
}

/** Page number and page count, drawn once all pages exist. */
function drawFeet(sheet: Sheet, { number }: PrintedInvoice): void {
  const { count } = sheet.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    sheet.switchToPage(page);
    rule(sheet, FOOT);
    write(sheet, labels.electronic, styles.label, { x: LEFT, y: FOOT + 7, width: 345 });
    const footer = `${labels.invoice} ${number} · ${labels.page} ${page + 1}/${count}`;
    write(sheet, footer, styles.label, { x: RIGHT - 150, y: FOOT + 7, width: 150, align: 'right' });
  }
}

/** All data of an invoice that the PDF shows. Days are yyyy-mm-dd in the time zone of the country. */
export type PrintedInvoice = {
  readonly number: number;
  readonly status: Status;
  readonly issuedOn: string;
  readonly dueDate: string;
  readonly paidOn: string | null;
  readonly buyer: { readonly name: string | null; readonly email: string | null };
  readonly referenceNumber: string | null;
  readonly currency: string;
  readonly lines: readonly PrintedLine[];
  readonly net: Cents;
  readonly vat: Cents;
  /** The rate on the day of issue, "24". */
  readonly vatPercent: string;
  readonly amount: Cents;
  readonly paymentLink: string | null;
};

/** The net amount is that of the whole line, not the unit price. */
export type PrintedLine = { readonly description: string; readonly quantity: number; readonly net: Cents };
