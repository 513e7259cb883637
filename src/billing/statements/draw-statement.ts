import type { Seller } from '../../policy/policy.ts';
import { drawSeller } from '../invoices/draw-invoice.ts';
import { amountText, printable } from '../invoices/invoice-labels.ts';
import {
  BOTTOM,
  bytesOf,
  FOOT,
  LEFT,
  newSheet,
  RIGHT,
  rule,
  SHADE,
  type Sheet,
  type Style,
  styles,
  TOP,
  write,
} from '../pdf/sheet.ts';
import type { MonthlyStatement } from './find-statements.ts';
import { debtRows, labels, lineText } from './statement-labels.ts';

const PAD = 6;
const ROW = 21;
const SUM = { x: RIGHT - PAD - 110, width: 110, align: 'right' } as const;
const COUNT = { x: SUM.x - 75, width: 65, align: 'right' } as const;
const TEXT = { x: LEFT + PAD, width: COUNT.x - LEFT - 2 * PAD } as const;
const MIDDLE = 310;

/** The bytes do not depend on time or machine. */
export function drawStatement(statement: MonthlyStatement, seller: Seller): Promise<Buffer> {
  const sheet = newSheet({
    Title: `${labels.statement} ${statement.month}`,
    Subject: printable(statement.registrar, 32),
    Author: printable(seller.name, 200),
    Creator: 'Cadastre',
    Producer: 'Cadastre',
    CreationDate: new Date(`${statement.month}-01T00:00:00Z`),
  });
  let y = drawTableHead(sheet, statement, drawHead(sheet, statement, seller));
  const row = (text: string, count: string, cents: bigint, style: Style = styles.plain) => {
    if (y + ROW > BOTTOM) y = nextPage();
    write(sheet, text, style, { ...TEXT, y: y + PAD });
    write(sheet, count, style, { ...COUNT, y: y + PAD });
    write(sheet, amountText(cents), style, { ...SUM, y: y + PAD });
    y += ROW;
    rule(sheet, y);
  };
  const nextPage = () => {
    sheet.addPage();
    return drawTableHead(sheet, statement, TOP);
  };
  row(labels.opening, '', statement.opening, styles.strong);
  for (const line of statement.lines) row(lineText(line), String(line.count), line.sum);
  row(labels.closing, '', statement.closing, styles.strong);
  for (const [label, cents] of debtRows(statement)) row(label, '', cents);
  if (statement.lines.length === 0)
    write(sheet, labels.nothing, styles.label, { x: LEFT, y: y + 12, width: RIGHT - LEFT });
  drawFeet(sheet, statement);
  return bytesOf(sheet);
}

function drawHead(sheet: Sheet, { month, name, registrar }: MonthlyStatement, seller: Seller): number {
  const belowSeller = drawSeller(sheet, seller);
  const box = { x: MIDDLE, width: RIGHT - MIDDLE, align: 'right' } as const;
  const belowTitle = write(sheet, labels.statement, styles.total, { ...box, y: TOP });
  const belowMonth = write(sheet, month, styles.title, { ...box, y: belowTitle + 4 });
  const y = Math.max(belowSeller, belowMonth) + 14;
  rule(sheet, y);
  const left = { x: LEFT, width: RIGHT - LEFT };
  const belowLabel = write(sheet, labels.registrar, styles.label, { ...left, y: y + 14 });
  const text = `${printable(name, 255)} (${printable(registrar, 32)})`;
  return write(sheet, text, styles.name, { ...left, y: belowLabel + 3 }) + 22;
}

function drawTableHead(sheet: Sheet, { currency }: MonthlyStatement, y: number): number {
  sheet.rect(LEFT, y, RIGHT - LEFT, ROW).fill(SHADE);
  write(sheet, labels.description, styles.label, { ...TEXT, y: y + PAD });
  write(sheet, labels.count, styles.label, { ...COUNT, y: y + PAD });
  write(sheet, `${labels.sum}, ${printable(currency, 3)}`, styles.label, { ...SUM, y: y + PAD });
  return y + ROW;
}

function drawFeet(sheet: Sheet, { registrar, month }: MonthlyStatement): void {
  const { count } = sheet.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    sheet.switchToPage(page);
    rule(sheet, FOOT);
    const footer = `${printable(registrar, 32)} ${month} · ${labels.page} ${page + 1}/${count}`;
    write(sheet, footer, styles.label, { x: RIGHT - 250, y: FOOT + 7, width: 250, align: 'right' });
  }
}
