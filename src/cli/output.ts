import { table } from './table.ts';

/** A failure to tell the operator in one sentence, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}

export type Cell = string | number | boolean | null | undefined | readonly string[] | Date;
export type Row = Readonly<Record<string, Cell>>;

/** Prints rows as a table for people, or as JSON for scripts. */
export function printRows(rows: readonly Row[], json: boolean | undefined): void {
  if (json) print(JSON.stringify(rows, null, 2));
  else if (rows.length === 0) print('(none)');
  else print(table(rows.map(shown), terminalWidth()));
}

/** Prints one object: a line per field, or JSON. */
export function printFields(fields: Row, json: boolean | undefined): void {
  if (json) {
    print(JSON.stringify(fields, null, 2));
    return;
  }
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  print(
    Object.entries(fields)
      .map(([name, value]) => `${name.padEnd(width)}  ${show(value)}`)
      .join('\n'),
  );
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Undefined where nobody looks: what is piped elsewhere is never shortened. */
function terminalWidth(): number | undefined {
  const { isTTY, columns } = process.stdout;
  return isTTY ? Number(process.env.COLUMNS) || columns : undefined;
}

const shown = (row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      { text: show(value), exact: typeof value === 'number' || value instanceof Date },
    ]),
  );

function show(value: Cell): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(', ') : String(value);
}
