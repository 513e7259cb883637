import pg from 'pg';
import type { Statement } from '../sql/statement.ts';
import { type Parse, parserOf } from '../sql/values.ts';

export type Answer<Row> = { readonly rows: Row[]; readonly count: number; readonly command: string };

/** Called once, with the failure or the answer. */
export type Answered<Row> = (error: Error | undefined, answer?: Answer<Row>) => void;

type Field = { readonly name: string; readonly dataTypeID: number };
type Column = Field & { readonly parse: Parse };
/** How the rows of a statement are parsed: its columns, and a template row. */
export type Shape = { readonly columns: readonly Column[]; readonly empty: object };

/** By statement name. What the server describes is compared with this. */
const shapes = new Map<string, Shape>();

export type Sending = {
  /** Under its name; otherwise it is planned for these values. */
  readonly isPrepared: boolean;
  /**
   * By statement name, what the server has described on this connection: an answer of other columns would be an error of
   * the server. Undefined behind a pooler, which may prepare the statement again on another connection.
   */
  readonly described?: Map<string, Shape> | undefined;
};

/** The methods of the driver's connection that a query uses. */
export type Wire = {
  bind(message: { readonly statement: string; readonly values: readonly unknown[] }): void;
  execute(message: object): void;
  sync(): void;
};

/** A method that its types do not tell of. */
const DriverQuery = pg.Query as unknown as new (
  text: string,
) => pg.Submittable & { prepare(wire: Wire): void };

/**
 * One execution of a statement. The driver's own query copies its configuration property by property, and determines
 * the row parsers at every answer, which together was a third and more of a statement's cost in this process.
 */
export class StatementQuery<Row extends object> extends DriverQuery {
  /** The name for the driver; a statement without one is planned for these values. */
  readonly name: string;
  readonly values: readonly unknown[];
  readonly #statement: Statement<Row>;
  readonly #answered: Answered<Row>;
  readonly #described: Map<string, Shape> | undefined;
  readonly #rows: object[] = [];
  #shape: Shape = NONE;
  #tag = '';
  #failure: unknown;

  constructor(statement: Statement<Row>, { isPrepared, described }: Sending, answered: Answered<Row>) {
    super(statement.text);
    this.#statement = statement;
    this.name = isPrepared ? statement.name : '';
    this.values = statement.values;
    this.#answered = answered;
    this.#described = isPrepared ? described : undefined;
  }

  /** The driver calls it to send the statement. */
  override prepare(wire: Wire): void {
    const shape = this.#described?.get(this.name);
    if (!shape) {
      super.prepare(wire);
      return;
    }
    this.#shape = shape;
    wire.bind({ statement: this.name, values: this.values });
    this._getRows(wire);
  }

  /** The driver calls it once the statement is bound. */
  _getRows(wire: Wire): void {
    wire.execute({});
    wire.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const known = shapes.get(this.#statement.name);
    if (known && isOf(known, fields)) {
      this.#shape = known;
      return;
    }
    this.#shape = shapeOf(fields);
    shapes.set(this.#statement.name, this.#shape);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#failure) return;
    try {
      this.#rows.push(readRow(this.#shape, fields));
    } catch (error) {
      this.#failure = error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text;
  }

  handleError(error: Error): void {
    this.#answered((this.#failure as Error | undefined) ?? error);
  }

  handleReadyForQuery(): void {
    this.#described?.set(this.name, this.#shape);
    if (this.#failure) this.handleError(this.#failure as Error);
    else this.#answered(undefined, { rows: this.#rows as Row[], ...readTag(this.#tag) });
  }
}

const NONE: Shape = { columns: [], empty: {} };

function shapeOf(fields: readonly Field[]): Shape {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, dataTypeID, parse: parserOf(dataTypeID) }));
  return { columns, empty: Object.fromEntries(columns.map(({ name }) => [name, null])) };
}

function isOf({ columns }: Shape, fields: readonly Field[]): boolean {
  if (columns.length !== fields.length) return false;
  for (const [index, { name, dataTypeID }] of columns.entries()) {
    const field = fields[index];
    if (field?.dataTypeID !== dataTypeID || field.name !== name) return false;
  }
  return true;
}

function readRow({ columns, empty }: Shape, fields: readonly (string | null)[]): object {
  const row: Record<string, unknown> = { ...empty };
  for (const [index, { name, parse }] of columns.entries()) {
    const field = fields[index];
    if (typeof field === 'string') row[name] = parse(field);
  }
  return row;
}

/** Command tags: "SELECT 3", "INSERT 0 1", "BEGIN". */
function readTag(tag: string): { readonly command: string; readonly count: number } {
  const space = tag.indexOf(' ');
  if (space === -1) return { command: tag, count: 0 };
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
  return { command: tag.slice(0, space), count: Number.isNaN(count) ? 0 : count };
}
