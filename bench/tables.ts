/** Rows of text; the first row is the head, the first column text, the others numbers. */
export type Table = readonly (readonly string[])[];

/** Columns under each other, for a terminal. */
export function aligned(rows: Table): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return rows.map(line).join('\n');
}

/** The same as a table of a page. */
export function asMarkdown([head = [], ...rows]: Table): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
export const fixed = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? '';
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
