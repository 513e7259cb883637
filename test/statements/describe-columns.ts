import type pg from 'pg';
import { parserOf } from '../../src/platform/sql/values.ts';
import type { Source } from './can-be-null.ts';

/** A column of a result, as PostgreSQL describes it. */
export type DescribedColumn = {
  readonly name: string;
  readonly type: string;
  /** How the driver reads its values: `string`, `Date`, `number[]`, `json`. */
  readonly kind: string;
  /** Undefined for an expression, and for a column of a view. */
  readonly source: Source | undefined;
};

export type Description = { readonly columns: readonly DescribedColumn[] } | { readonly error: string };

type Field = {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
};

/** The methods of the driver's connection that a description takes. */
type Wire = {
  parse(message: { readonly name: string; readonly text: string }): void;
  describe(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
};

/** Prepares a statement without a name, and has it described. */
class Describe implements pg.Submittable {
  readonly #text: string;
  readonly #ended: (error: Error | undefined, fields: readonly Field[]) => void;
  #fields: readonly Field[] = [];

  constructor(text: string, ended: (error: Error | undefined, fields: readonly Field[]) => void) {
    this.#text = text;
    this.#ended = ended;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.parse({ name: '', text: this.#text });
    wire.describe({ type: 'S', name: '' });
    wire.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#fields = fields;
  }

  handleError(error: Error): void {
    this.#ended(error, []);
  }

  handleReadyForQuery(): void {
    this.#ended(undefined, this.#fields);
  }
}

const TYPES = `select oid, typname as name, typcategory = 'A' as "isArray" from pg_type`;
const SOURCES = `
  select attrelid || '.' || attnum as key, relname as table, attname as column, not attnotnull as "isNullable"
  from pg_attribute join pg_class c on c.oid = attrelid where relkind in ('r', 'p') and attnum > 0`;

type Type = { readonly oid: number; readonly name: string; readonly isArray: boolean };

/** Describes statements on the schema of this database. */
export async function describerOn(client: pg.Client): Promise<(text: string) => Promise<Description>> {
  const types = await client.query<Type>(TYPES);
  const typesByOid = new Map(types.rows.map((type) => [type.oid, type]));
  const sources = await client.query<Source & { key: string }>(SOURCES);
  const sourcesByKey = new Map(sources.rows.map(({ key, ...source }) => [key, source]));
  const columnOf = ({ name, tableID, columnID, dataTypeID }: Field): DescribedColumn => {
    const type = typesByOid.get(dataTypeID);
    if (type === undefined) throw new Error(`no type has the OID ${dataTypeID}`);
    const source = sourcesByKey.get(`${tableID}.${columnID}`);
    return { name, type: type.name, kind: kindOf(type), source };
  };
  return (text) =>
    new Promise((resolve) => {
      client.query(
        new Describe(text, (error, fields) =>
          resolve(error ? { error: error.message } : { columns: fields.map(columnOf) }),
        ),
      );
    });
}

/** Asks the parsers of the product with a value that all of them read. */
function kindOf({ oid, name, isArray }: Type): string {
  if (/^_?jsonb?$/.test(name)) return isArray ? 'json[]' : 'json';
  const value = parserOf(oid)(isArray ? '{1}' : '1');
  return Array.isArray(value) ? `${kindOfValue(value[0])}[]` : kindOfValue(value);
}

function kindOfValue(value: unknown): string {
  if (value instanceof Date) return 'Date';
  return value instanceof Uint8Array ? 'bytes' : typeof value;
}
