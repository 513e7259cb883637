/** A failure to tell the operator in one sentence, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}

type Cell = string | number | null | undefined | readonly string[];
export type Row = Readonly<Record<string, Cell | Date>>;

/** Prints rows as a table for people, or as JSON for scripts. */
export function printRows(rows: readonly Row[], json: boolean | undefined): void {
  if (json) print(JSON.stringify(rows, null, 2));
  else if (rows.length === 0) print('(none)');
  else print(table(rows));
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

function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => show(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function show(value: Cell | Date): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(', ') : String(value);
}
