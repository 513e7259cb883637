import type { Seller } from '../../../policy/policy.ts';
import { isPayable } from '../invoice.ts';
import type { PrintedInvoice } from '../printed.ts';
import { nextPage } from './lines.ts';
import {
  BOTTOM,
  FOOT,
  heightOf,
  LEFT,
  RIGHT,
  rule,
  SHADE,
  type Sheet,
  type Style,
  styles,
  write,
} from './sheet.ts';
import { amountText, dayText, ibanText, labels, printable } from './words.ts';

const SUMS_LEFT = 230;
const SUMS_MIDDLE = SUMS_LEFT + 156;
const SUMS_HEIGHT = 72;
const LABEL_WIDTH = 150;
const VALUE_WIDTH = RIGHT - LEFT - LABEL_WIDTH - 24;

/** The sums and how to pay, never on two pages. */
export function drawClose(sheet: Sheet, invoice: PrintedInvoice, seller: Seller, from: number): void {
  const payment = isPayable(invoice) ? paymentRows(invoice, seller) : [];
  const paymentHeight = payment.reduce((sum, row) => sum + rowHeight(sheet, row), 38);
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
  if (paymentLink !== null) rows.push(linkRow(paymentLink));
  return rows;
}

/** Whatever is no address of the web is printed, but cannot be clicked. */
function linkRow(paymentLink: string): Row {
  const row = { label: labels.payOnline, value: printable(paymentLink, 300) };
  const address = URL.parse(paymentLink);
  return address && /^https?:$/.test(address.protocol) ? { ...row, link: address.href } : row;
}

function rowHeight(sheet: Sheet, { value }: Row): number {
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
    y += rowHeight(sheet, row);
  }
}

/** Number and count of pages, once all pages are there. */
export function drawFeet(sheet: Sheet, { number }: PrintedInvoice): void {
  const { count } = sheet.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    sheet.switchToPage(page);
    rule(sheet, FOOT);
    write(sheet, labels.electronic, styles.label, { x: LEFT, y: FOOT + 7, width: 345 });
    const told = `${labels.invoice} ${number} · ${labels.page} ${page + 1}/${count}`;
    write(sheet, told, styles.label, { x: RIGHT - 150, y: FOOT + 7, width: 150, align: 'right' });
  }
}
