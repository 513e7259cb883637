/** Control, format and separator characters: data of others must neither move the cursor nor hide text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export const printable = (value: unknown): string =>
  (typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value)).replace(
    UNPRINTABLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/** The same within JSON, whose meaning is unchanged. */
const jsonLine = (data: unknown): string =>
  JSON.stringify(data).replace(UNPRINTABLE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

export type Streams = {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

/** The cells of a row by the headings of their columns. */
type Row = Readonly<Record<string, unknown>>;

/** How many rows of a table are aligned at once. */
const ALIGNED_ROWS = 200;

/** Prints results: for people, or one JSON value per line. */
export class Printer {
  readonly isJson: boolean;
  readonly #streams: Streams;
  /** Rows of a terminal that wait for those after them, to be aligned with them. */
  #waiting: string[][] = [];
  #widths: number[] = [];
  #isHeaded = false;

  constructor(streams: Streams, isJson: boolean) {
    this.#streams = streams;
    this.isJson = isJson;
  }

  /** A line of a table: its data as JSON, cells separated by tabs, or in a terminal columns under their headings. */
  row(data: unknown, row: Row): void {
    const cells = Object.values(row);
    if (this.isJson || !this.#streams.stdout.isTTY) {
      this.item(data, ...cells);
      return;
    }
    if (!this.#isHeaded) this.#waiting.push(Object.keys(row));
    this.#isHeaded = true;
    this.#waiting.push(cells.map(printable));
    if (this.#waiting.length >= ALIGNED_ROWS) this.flush();
  }

  /** Writes what waits; each command ends with it. */
  flush(): void {
    const rows = this.#waiting;
    this.#waiting = [];
    for (const row of rows)
      this.#widths = row.map((cell, index) => Math.max(cell.length, this.#widths[index] ?? 0));
    for (const row of rows)
      this.#streams.stdout.write(
        `${row
          .map((cell, index) => cell.padEnd(this.#widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
      );
  }

  /** One result: its data as JSON, or cells separated by tabs. */
  item(data: unknown, ...cells: readonly unknown[]): void {
    this.flush();
    const line = this.isJson ? jsonLine(data) : cells.map(printable).join('\t');
    this.#streams.stdout.write(`${line}\n`);
  }

  /** One object, a line per member. */
  object(data: object): void {
    this.flush();
    if (this.isJson) {
      this.item(data);
      return;
    }
    const members = Object.entries(data).filter(([, value]) => value !== undefined);
    const width = Math.max(0, ...members.map(([name]) => name.length));
    for (const [name, value] of members) {
      const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
      this.#streams.stdout.write(`${name.padEnd(width)}  ${printable(text)}\n`);
    }
  }

  /** How far long work is: one line of a terminal that is written over, and nothing elsewhere. */
  progress(done: number, total: number): void {
    const { stderr } = this.#streams;
    if (!stderr.isTTY) return;
    stderr.write(`\r${done} of ${total}${done === total ? '\n' : ''}`);
  }
}
