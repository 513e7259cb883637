import type { PrintedInvoice, PrintedLine } from '../printed.ts';
import { BOTTOM, heightOf, LEFT, RIGHT, rule, SHADE, type Sheet, styles, TOP, write } from './sheet.ts';
import { amountText, labels, printable } from './words.ts';

const PAD = 6;
const AMOUNT = { x: RIGHT - PAD - 95, width: 95, align: 'right' } as const;
const QUANTITY = { x: AMOUNT.x - 5 - 65, width: 65, align: 'right' } as const;
const DESCRIPTION = { x: LEFT + PAD, width: QUANTITY.x - 15 - LEFT - PAD } as const;

/** About ten lines of print. A description beyond that would be a page of its own. */
const LONGEST_DESCRIPTION = 500;

/** The table, with its head anew on every page. Returns the y below it, on the last page. */
export function drawLines(sheet: Sheet, invoice: PrintedInvoice, from: number): number {
  let y = drawTableHead(sheet, invoice, from);
  for (const line of invoice.lines) {
    const description = printable(line.description, LONGEST_DESCRIPTION);
    const height = rowHeight(sheet, description);
    if (y + height > BOTTOM) y = drawTableHead(sheet, invoice, nextPage(sheet, invoice));
    drawRow(sheet, line, description, y + PAD - 1);
    y += height;
    rule(sheet, y);
  }
  return y;
}

/** A new page that says whose it is. */
export function nextPage(sheet: Sheet, { number }: PrintedInvoice): number {
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
