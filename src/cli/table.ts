/** A cell as it is printed; an exact one, a number or a time, is worth nothing when it is shortened. */
export type TableCell = { readonly text: string; readonly exact: boolean };
export type TableRow = Readonly<Record<string, TableCell>>;

const GAP = '  ';
/** A column that is narrower tells nothing any more: rather let the lines break. */
const NARROWEST = 8;

/** Rows below their headings; where they are wider than the terminal, the widest texts end in an ellipsis. */
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
  const most = widestAllowed(columns, room);
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

/** The widest that a column of texts may be, so that all of them together have room. */
function widestAllowed(columns: readonly Column[], room: number): number {
  let most = Math.max(...columns.map(({ width }) => width));
  const needed = () =>
    columns.reduce((sum, { width, exact }) => sum + (exact ? width : Math.min(width, most)), 0);
  while (most > NARROWEST && needed() > room) most--;
  return most;
}

const shorten = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`;
