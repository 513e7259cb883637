import { nextTurn } from '../../../platform/concurrency/event-loop-turns.ts';
import { csvLine, MAX_CELLS, readCsv, UnclosedQuote } from '../../http/csv.ts';
import { hiddenField } from '../../html/form.ts';
import { type Html, html } from '../../html/layout.ts';
import type { FormInput, Visit } from '../console-page.ts';
import { refusalText } from '../refusal-texts.ts';
import { bulkTexts } from './bulk-texts.ts';
import { chosenColumns } from './chosen-columns.ts';
import type { ChosenColumns, LineContent, ListColumns } from './list-columns.ts';
import { CELLS_PER_TURN, type LeftOut, type ListedDomain, MAX_LINES, withCode } from './name-list.ts';

/** The step that checks a list again whose lines were mended. */
export const MEND = 'mend';
const LINE = 'line';
const MAX_FIELDS = 50;
/** Longer lines, and rows of several lines, are mended in the list itself. */
const MAX_LENGTH = 1_000;

/** A line that cannot be used because of what is written in it. */
export type WrongLine = {
  readonly row: number;
  readonly line: number;
  readonly written: string;
  readonly name: string;
  readonly reason: LeftOut;
};

/** The fields for them, at most fifty. */
export type WrongLines = {
  readonly lines: readonly WrongLine[];
  /** Lines for which there was no room. */
  readonly further: number;
};

/** `wrong` has the reasons by the names of the list. */
export function wrongLines(
  listed: readonly ListedDomain[],
  wrong: ReadonlyMap<string, LeftOut>,
  columns: ListColumns | undefined,
): WrongLines {
  const byRow = new Map<number, WrongLine>();
  for (const { name, lines = [] } of listed) {
    const reason = wrong.get(name);
    if (!reason) continue;
    for (const { row, line, cells } of lines) {
      if (byRow.has(row)) continue;
      const written = writtenOn(cells, columns?.isExact ? columns : undefined);
      if (written.length <= MAX_LENGTH && !written.includes('\n'))
        byRow.set(row, { row, line, written, name, reason });
    }
  }
  const lines = [...byRow.values()].toSorted((one, other) => one.row - other.row);
  return { lines: lines.slice(0, MAX_FIELDS), further: Math.max(0, lines.length - MAX_FIELDS) };
}

/** As it is mended: the columns that are read, or a whole line. */
function writtenOn(cells: readonly string[], columns: ChosenColumns | undefined): string {
  if (!columns || cells.length < 2) return lineOf(cells);
  const { name, content } = columns;
  const code = content === undefined ? '' : (cells[content] ?? '');
  return lineOf([cells[name] ?? '', ...(code === '' ? [] : [code])]);
}

const lineOf = (cells: readonly string[]): string => csvLine(cells).slice(0, -2);

/** Before all other buttons of the form: the key Enter in a field checks the list again, and begins nothing. */
export const mendOnEnter = ({ lines }: WrongLines, { lang }: Visit): Html | false =>
  lines.length > 0 && html`<button name="step" value="${MEND}" hidden>${bulkTexts(lang).mend.again}</button>`;

/** The fields, with the rows that they are about. */
export function mendView({ lines, further }: WrongLines, { lang }: Visit): Html | false {
  if (lines.length === 0) return false;
  const texts = bulkTexts(lang).mend;
  return html`<p class="hint">${texts.hint}</p>
${lines.map(({ row, line, written, name, reason }) => {
  const id = `${LINE}${row}`;
  const text =
    reason.name === 'notName' ? texts.notName(line, name) : texts.wrong(line, refusalText(reason, lang));
  return html`<div class="field wrong"><label for="${id}">${text}</label>
${hiddenField(LINE, String(row))}<input type="text" id="${id}" name="${id}" value="${written}" maxlength="${MAX_LENGTH}" autocomplete="off" autocapitalize="none" spellcheck="false"></div>
`;
})}${further > 0 && html`<p class="quiet">${texts.further(further)}</p>\n`}<p class="asks"><button class="act second" name="step" value="${MEND}">${texts.again}</button></p>
`;
}

/** The form with its list mended; lines keep their numbers, and those that were emptied are empty. */
export async function mendedForm(
  form: FormInput,
  { lineHas }: { readonly lineHas?: LineContent },
): Promise<FormInput> {
  const rows = form.fields(LINE).filter((row) => /^\d{1,5}$/.test(row));
  const mended = new Map(rows.slice(0, MAX_FIELDS).map((row) => [Number(row), form.field(`${LINE}${row}`)]));
  const chosen = chosenColumns(form);
  if ('refusals' in chosen || chosen.value === 'as listed') return form;
  const names = await mendList(form.field('names'), mended, lineHas, chosen.value);
  return { ...form, field: (name) => (name === 'names' ? names : form.field(name)) };
}

/** As it was if it cannot be read; over several turns of the event loop. */
export async function mendList(
  text: string,
  mended: ReadonlyMap<number, string>,
  lineHas: LineContent | undefined,
  columns: ChosenColumns | undefined,
): Promise<string> {
  const lines: string[] = [];
  let cellsOfTurn = 0;
  try {
    for (const cells of readCsv(text)) {
      const written = mended.get(lines.length);
      if (lines.length > MAX_LINES || cells.length > MAX_CELLS) return text;
      lines.push(lineOf(written === undefined ? cells : mendedCells(cells, written, lineHas, columns)));
      cellsOfTurn += cells.length;
      if (cellsOfTurn > CELLS_PER_TURN) {
        cellsOfTurn = 0;
        await nextTurn();
      }
    }
  } catch (error) {
    if (error instanceof UnclosedQuote) return text;
    throw error;
  }
  return lines.join('\n');
}

function mendedCells(
  cells: readonly string[],
  written: string,
  lineHas: LineContent | undefined,
  columns: ChosenColumns | undefined,
): readonly string[] {
  if (written.trim() === '') return [];
  if (written === writtenOn(cells, columns)) return cells;
  const next = cellsIn(written);
  if (!columns || cells.length < 2) return next;
  const { name, content } = columns;
  const [[first, code] = ['', '']] = lineHas ? withCode(next) : [[next[0] ?? '', ''] as const];
  const width = Math.max(cells.length, name + 1, (content ?? 0) + 1);
  return Array.from({ length: width }, (_, column) => {
    if (column === name) return first;
    return column === content ? code : (cells[column] ?? '');
  });
}

/** Of one line; a quotation mark that is not closed stays as it is. */
function cellsIn(written: string): readonly string[] {
  try {
    for (const cells of readCsv(written)) return cells;
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
  }
  return [written];
}
