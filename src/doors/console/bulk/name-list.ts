import { nextTurn } from '../../../platform/concurrency/event-loop-turns.ts';
import type { Refusal } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import { MAX_BULK_ROWS } from '../../../registry/bulk-jobs/bulk-job.ts';
import { storedRefusal } from '../../../registry/bulk-jobs/stored-refusal.ts';
import { parseDomainName } from '../../../registry/names/name.ts';
import { NAMES_PER_TURN } from '../../../registry/names/name-lists.ts';
import { csvLine, MAX_CELLS, readCsv, UnclosedQuote } from '../../http/csv.ts';
import {
  type ChosenColumns,
  decideColumns,
  isNameHeading,
  type LineContent,
  type ListColumns,
  MAX_COLUMNS,
  PERIOD,
  periodIn,
} from './list-columns.ts';

/** As many as a job has rows. */
export const MAX_NAMES = MAX_BULK_ROWS;
const MAX_SHOWN = 255;

/** A domain of a list that somebody pasted, with its transfer code or its period where the list has them. */
export type ListedDomain = {
  /** As it is stored, or as it was written if it cannot be a name. */
  readonly name: string;
  readonly code: string;
  readonly isName: boolean;
  /** Named again with another code. */
  readonly isAmbiguous: boolean;
  /** Those of the list that name it. */
  readonly lines?: readonly ListedLine[];
};

export type ListedLine = {
  /** Its place among the rows of the file, counted from 0. */
  readonly row: number;
  /** Its number for people: a row may have several lines. */
  readonly line: number;
  readonly cells: readonly string[];
};

/** Lines that are read at most, repeated ones among them. */
export const MAX_LINES = 2 * MAX_NAMES;
/** These take about a millisecond. */
export const CELLS_PER_TURN = 2_000;

export type NameList = {
  /** Every domain once, in the order of the list. */
  readonly listed: readonly ListedDomain[];
  /** There is more than there may be, and not all of it was read. */
  readonly isTooLong: boolean;
  /** Those of a table. */
  readonly columns: ListColumns | undefined;
};

/** The columns that somebody has chosen, or those that listText writes. */
export type Columns = ChosenColumns | 'as listed' | undefined;
const AS_LISTED: ListColumns = {
  name: 0,
  content: 1,
  unit: undefined,
  headings: undefined,
  width: 2,
  isExact: true,
};

/** Over several turns of the event loop: a form has room for many thousand names. Throws UnclosedQuote. */
export async function readNameList(
  text: string,
  policy: Policy,
  lineHas: LineContent | undefined,
  chosen?: Columns,
): Promise<NameList> {
  const listed = new Map<string, ListedDomain & { readonly lines: ListedLine[] }>();
  const known = new Map<string, string | undefined>();
  const parse = async (written: string) => {
    if (known.has(written)) return known.get(written);
    if (known.size > 0 && known.size % NAMES_PER_TURN === 0) await nextTurn();
    const name = parseDomainName(written.replace(/\.$/, ''), policy)?.unicode;
    known.set(written, name);
    return name;
  };
  const columns =
    chosen === 'as listed' ? AS_LISTED : await columnsOf(firstLines(text), lineHas, parse, chosen);
  const answer = () => ({
    listed: [...listed.values()],
    isTooLong: listed.size > MAX_NAMES || lines > MAX_LINES || isTooWide,
    columns: columns === AS_LISTED ? undefined : columns,
  });
  let isFirst = true;
  let isTooWide = false;
  let lines = 0;
  let nextLine = 1;
  let cellsOfTurn = 0;
  for (const cells of readCsv(text)) {
    const at = { row: lines, line: nextLine, cells };
    lines += 1;
    nextLine += linesIn(cells);
    isTooWide = cells.length > MAX_CELLS;
    if (lines > MAX_LINES || isTooWide) return answer();
    cellsOfTurn += cells.length;
    if (cellsOfTurn > CELLS_PER_TURN) {
      cellsOfTurn = 0;
      await nextTurn();
    }
    const isHeading = isFirst && (columns ? columns.headings !== undefined : isNameHeading(cells[0]));
    isFirst &&= cells.join('').trim() === '';
    if (isHeading) continue;
    const isExact = columns?.isExact && (cells.length > 1 || columns === AS_LISTED);
    for (const [written, code] of isExact
      ? inColumns(cells, columns, lineHas)
      : await writtenIn(cells, lineHas, parse)) {
      const name = await parse(written);
      const key = name ?? written.slice(0, MAX_SHOWN);
      const before = listed.get(key);
      const isAmbiguous = before !== undefined && (before.isAmbiguous || before.code !== code);
      const namedOn = before?.lines ?? [];
      namedOn.push(at);
      listed.set(key, {
        name: key,
        code: before?.code ?? code,
        isName: name !== undefined,
        isAmbiguous,
        lines: namedOn,
      });
      if (listed.size > MAX_NAMES) return answer();
    }
  }
  return answer();
}

type Written = readonly [name: string, code: string];

type ParseName = (text: string) => Promise<string | undefined>;

const linesIn = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 1);

/** Lines by which the columns are decided, and as many cells. */
const MAX_FIRST_LINES = 20;
const MAX_FIRST_CELLS = 2_000;

/** Those that are not empty. */
function firstLines(text: string): string[][] {
  const lines: string[][] = [];
  let cellsRead = 0;
  for (const cells of readCsv(text)) {
    cellsRead += cells.length;
    if (cells.some((cell) => cell.trim() !== '')) lines.push(cells.slice(0, MAX_COLUMNS));
    if (lines.length === MAX_FIRST_LINES || cellsRead > MAX_FIRST_CELLS) break;
  }
  return lines;
}

async function columnsOf(
  lines: readonly (readonly string[])[],
  lineHas: LineContent | undefined,
  parse: ParseName,
  chosen: ChosenColumns | undefined,
): Promise<ListColumns | undefined> {
  const names = new Set<string>();
  for (const cell of lines.flat()) if ((await parse(cell.trim())) !== undefined) names.add(cell);
  return decideColumns(lines, lineHas, (cell) => names.has(cell), chosen);
}

function inColumns(
  cells: readonly string[],
  { name, content, unit }: ListColumns,
  lineHas: LineContent | undefined,
): Written[] {
  const written = cells[name]?.trim() ?? '';
  const code = (content === undefined ? undefined : cells[content]?.trim()) ?? '';
  if (written === '') return [];
  if (lineHas === undefined) return [[written, '']];
  return [[written, lineHas === 'period' ? periodIn(code, unit) : code]];
}

async function writtenIn(
  cells: readonly string[],
  lineHas: LineContent | undefined,
  parse: ParseName,
): Promise<readonly Written[]> {
  if (lineHas === 'code') return withCode(cells);
  const [named] = lineHas === 'period' ? withCode(cells) : [];
  const [, period = ''] = named ?? [];
  return named && PERIOD.test(period) ? [named] : namesIn(cells, parse);
}

/** The name and its code, in columns or with a space between them. */
export function withCode(cells: readonly string[]): Written[] {
  const [first = '', second] = cells.map((cell) => cell.trim());
  if (first === '') return [];
  const space = first.search(/\s/);
  return second === undefined && space > 0
    ? [[first.slice(0, space), first.slice(space).trim()]]
    : [[first, second ?? '']];
}

/** All names of a line of names; of a line that has other columns too, the first. */
async function namesIn(cells: readonly string[], parse: ParseName): Promise<Written[]> {
  const wordsOf = (texts: readonly string[]) =>
    texts.flatMap((text) => text.split(/\s+/).filter((word) => word !== ''));
  const words = wordsOf(cells).slice(0, MAX_NAMES + 1);
  const listed = (names: readonly string[]): Written[] => names.map((name) => [name, '']);
  for (const word of words) if ((await parse(word)) === undefined) return listed(wordsOf(cells.slice(0, 1)));
  return listed(words);
}

/** The list as a field of the next form. */
export const listText = (listed: readonly Pick<ListedDomain, 'name' | 'code'>[]): string =>
  listed
    .map(({ name, code }) => csvLine(code === '' ? [name] : [name, code]))
    .join('')
    .replaceAll('\r\n', '\n');

/** Why a domain is left out. */
export type LeftOut = Pick<Refusal, 'name' | 'values'>;

export const leftOutText = (leftOut: ReadonlyMap<string, LeftOut>): string =>
  Array.from(leftOut, ([name, reason]) =>
    csvLine([name, reason.name, JSON.stringify(storedRefusal(reason).values)]),
  )
    .join('')
    .replaceAll('\r\n', '\n');

/**
 * As the form before had them; only the person who sends them sees them again. A quotation mark that is not closed is
 * not of that form: what stands before it counts.
 */
export function readLeftOut(text: string): Map<string, LeftOut> {
  const reasons = new Map<string, LeftOut>();
  try {
    let lines = 0;
    for (const [name = '', reason = '', values = '', ...others] of readCsv(text)) {
      lines += 1;
      if (lines > MAX_LINES || others.length > 0 || reasons.size === MAX_NAMES) break;
      if (name !== '') reasons.set(name, { name: reason.slice(0, MAX_REASON), values: valuesIn(values) });
    }
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
  }
  return reasons;
}

const MAX_REASON = 50;

function valuesIn(text: string): LeftOut['values'] {
  if (text.length > 2 * MAX_SHOWN) return {};
  try {
    const values: unknown = JSON.parse(text);
    return typeof values === 'object' && values !== null
      ? storedRefusal({ name: '', values: { ...values } }).values
      : {};
  } catch {
    return {};
  }
}
