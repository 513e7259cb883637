import type { Seller } from '../../../policy/policy.ts';
import { isPayable } from '../invoice.ts';
import type { PrintedInvoice } from '../printed.ts';
import { LEFT, RIGHT, rule, type Sheet, styles, TOP, widthOf, write } from './sheet.ts';
import { dayText, labels, printable, statusMarks } from './words.ts';

const MIDDLE = 310;
const LEFT_WIDTH = MIDDLE - LEFT - 20;
const RIGHT_WIDTH = RIGHT - MIDDLE;

/** Who sells, what this paper is, who buys, and the days. Returns the y below. */
export function drawHead(sheet: Sheet, invoice: PrintedInvoice, seller: Seller): number {
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

/** A stamp in a frame, at the right edge. */
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
  let y = write(sheet, labels.buyer, styles.label, { ...box, y: from }) + 3;
  y = write(sheet, printable(buyer.name ?? '', 255), styles.name, { ...box, y }) + 2;
  return write(sheet, printable(buyer.email ?? '', 254), styles.plain, { ...box, y });
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
