import { commandEnvironment } from '../../platform/config/command-environment.ts';
import {
  escapeInvisible,
  escapeInvisibleInJson,
  escapeInvisibleInLines,
} from '../../platform/values/normalise-text.ts';
import { policy } from '../../policy/installed.ts';
import { formatLocalTime } from '../../registry/domains/rules/periods.ts';

/** A failure that is printed as one sentence, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}

export type Cell = string | number | boolean | null | undefined | readonly string[] | Date;
export type Row = Readonly<Record<string, Cell>>;

/** Prints rows as a table for people, or as JSON for scripts. */
export function printRows(rows: readonly Row[], json: boolean | undefined): void {
  if (json) printJson(rows);
  else if (rows.length === 0) print('(none)');
  else print(tableOf(rows, terminalWidth()));
}

/** Prints one object: a line per field, or JSON. */
export function printFields(fields: Row, json: boolean | undefined): void {
  if (json) {
    printJson(fields);
    return;
  }
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  print(
    Object.entries(fields)
      .map(([name, value]) => `${name.padEnd(width)}  ${show(value)}`)
      .join('\n'),
  );
}

export function printJson(value: unknown): void {
  print(escapeInvisibleInJson(JSON.stringify(value, null, 2)));
}

/** All text to standard output goes through here, as `printError` does for standard error. */
export function print(text: string): void {
  commandEnvironment().stdout.write(`${escapeInvisibleInLines(text)}\n`);
}

export function printError(text: string): void {
  commandEnvironment().stderr.write(`${escapeInvisibleInLines(text)}\n`);
}

/** Undefined where the output is no terminal: piped output is never shortened. */
function terminalWidth(): number | undefined {
  const { env, stdout } = commandEnvironment();
  return stdout.isTTY ? Number(env.COLUMNS) || stdout.columns : undefined;
}

/** On a terminal, times are in the registry's zone to the minute; elsewhere they are exact. */
export function tableOf(rows: readonly Row[], terminal: number | undefined): string {
  const text = (value: Cell) =>
    value instanceof Date && terminal !== undefined ? formatLocalTime(value, policy) : show(value);
  const shown = (row: Row) =>
    Object.entries(row).map(([name, value]) => {
      const exact = typeof value === 'number' || value instanceof Date;
      return [name, { text: text(value), exact }];
    });
  return table(
    rows.map((row) => Object.fromEntries(shown(row))),
    terminal,
  );
}

function show(value: Cell): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return escapeInvisible(Array.isArray(value) ? value.join(', ') : String(value));
}

/** A printed cell; an exact one, a number or a time, must not be shortened. */
export type TableCell = { readonly text: string; readonly exact: boolean };
export type TableRow = Readonly<Record<string, TableCell>>;

const GAP = '  ';
/** Narrower columns are unreadable: the lines wrap instead. */
const MIN_COLUMN_WIDTH = 8;

/** Rows below their headings; where they exceed the terminal's width, the widest texts end in an ellipsis. */
export function table(rows: readonly TableRow[], terminal: number | undefined): string {
  const names = Object.keys(rows[0] ?? {});
  const columns = names.map((name) => {
    const cells = rows.map((row) => row[name] ?? { text: '', exact: false });
    const lines = [name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase(), ...cells.map(({ text }) => text)];
    return {
      lines,
      exact: cells.some(({ exact }) => exact),
      width: Math.max(...lines.map((line) => line.length)),
    };
  });
  const room =
    terminal === undefined ? Number.POSITIVE_INFINITY : terminal - GAP.length * (columns.length - 1);
  const most = maxColumnWidth(columns, room);
  const fitted = columns.map(({ lines, width, exact }) => {
    const fits = exact ? width : Math.min(width, most);
    return lines.map((line) => shorten(line, fits).padEnd(fits));
  });
  return [undefined, ...rows]
    .map((_, line) =>
      fitted
        .map((column) => column[line] ?? '')
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

type Column = { readonly width: number; readonly exact: boolean };

/** The maximum width of a text column, so that all columns fit. */
function maxColumnWidth(columns: readonly Column[], room: number): number {
  let most = Math.max(...columns.map(({ width }) => width));
  const needed = () =>
    columns.reduce((sum, { width, exact }) => sum + (exact ? width : Math.min(width, most)), 0);
  while (most > MIN_COLUMN_WIDTH && needed() > room) most--;
  return most;
}

const shorten = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`;
