import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { castOf, type Encoded, encode, Json } from './values.ts';

/** A name that is written into the text and not sent as a value. */
class Identifier {
  readonly text: string;
  constructor(name: string) {
    this.text = `"${name.replaceAll('"', '""')}"`;
  }
}

/** Tells tests of each text once per process. */
const compilations = channel('cadastre.statement.compiled');

type Compiled = { readonly text: string; readonly name: string };
/** Cache of compiled texts: a trie keyed by template sources, nested parts and the casts of values. */
type Node = { readonly next: Map<unknown, Node>; compiled: Compiled | undefined };

const compiled: Node = { next: new Map(), compiled: undefined };

function step(node: Node, key: unknown): Node {
  const known = node.next.get(key);
  if (known) return known;
  const made: Node = { next: new Map(), compiled: undefined };
  node.next.set(key, made);
  return made;
}

/** A statement, or a part of one: a plain value until an executor runs it. Each shape is compiled once. */
export class Statement<Row extends object = object> {
  declare readonly row?: Row;
  readonly #strings: readonly string[];
  readonly #inserted: readonly unknown[];
  #compiled: Compiled | undefined;
  #values: Encoded[] = [];

  constructor(strings: readonly string[], inserted: readonly unknown[]) {
    this.#strings = strings;
    this.#inserted = inserted;
  }

  get text(): string {
    return this.#compile().text;
  }

  /** The name under which a connection prepares it, derived from its text. */
  get name(): string {
    return this.#compile().name;
  }

  get values(): readonly Encoded[] {
    this.#compile();
    return this.#values;
  }

  get isEmpty(): boolean {
    return this.#strings.length === 1 && this.#strings[0] === '';
  }

  /** Its template and those of its parts, by which they are found in the code. */
  get templates(): readonly (readonly string[])[] {
    const ofParts = this.#inserted.flatMap((one) => (one instanceof Statement ? one.templates : []));
    return [this.#strings, ...ofParts];
  }

  #compile(): Compiled {
    if (this.#compiled) return this.#compiled;
    this.#values = [];
    const node = this.#find(compiled, this.#values);
    const isNew = node.compiled === undefined;
    node.compiled ??= named(this.#write({ places: 0 }));
    this.#compiled = node.compiled;
    if (isNew && compilations.hasSubscribers) compilations.publish(this);
    return node.compiled;
  }

  #find(from: Node, values: Encoded[]): Node {
    let node = step(from, this.#strings);
    for (const value of this.#inserted) {
      if (value instanceof Statement) node = value.#find(node, values);
      else if (value instanceof Identifier) node = step(node, value.text);
      else {
        values.push(encode(value));
        node = step(node, castOf(value));
      }
    }
    return node;
  }

  #write(count: { places: number }): string {
    let text = this.#strings[0] ?? '';
    for (const [index, value] of this.#inserted.entries()) {
      if (value instanceof Statement) text += value.#write(count);
      else if (value instanceof Identifier) text += value.text;
      else text += `$${++count.places}${castOf(value)}`;
      text += this.#strings[index + 1] ?? '';
    }
    return text;
  }
}

function named(text: string): Compiled {
  return { text, name: createHash('sha256').update(text).digest('base64url').slice(0, 22) };
}

type Value = string | number | bigint | boolean | null | Date | Uint8Array | Json | readonly Value[];
/** What a template can contain: a value, which is sent separately, or a part of the text itself. */
export type Inserted = Value | Statement | Identifier;

/** A statement, or a part to be nested in another. */
export const sql = <Row extends object = object>(
  strings: TemplateStringsArray,
  ...inserted: readonly Inserted[]
): Statement<Row> => new Statement<Row>(strings, inserted);

export const identifier = (name: string): Identifier => new Identifier(name);

/** Sends any value as jsonb. */
export const json = (value: unknown): Json => new Json(value);

const texts = new Map<string, readonly string[]>();

function constantOf<Row extends object>(written: string): Statement<Row> {
  const strings = texts.get(written) ?? [written];
  texts.set(written, strings);
  return new Statement<Row>(strings, []);
}

/** A constant text without values. */
export const text = (written: string): Fragment => constantOf(written);

/** A literal that is known when the program is written. */
export const quoted = (literal: string): Fragment => text(`'${literal.replaceAll("'", "''")}'`);

/** Compiles a part without values into one text: for parts built at module load and used often. */
export function constant<Row extends object>(part: Statement<Row>): Statement<Row> {
  if (part.values.length > 0) throw new TypeError('a constant part of a statement has no values');
  return constantOf<Row>(part.text);
}

export type Fragment = Statement;

/**
 * JSON that PostgreSQL writes without spaces, as JSON.stringify does: `json_build_object` and `json_agg` insert some.
 * The columns of `fields` are the members.
 */
export const compactObject = (fields: Fragment): Fragment =>
  sql`(select row_to_json(o) from (select ${fields}) as o)`;

/** An aggregate: the items in order, or null if there are none. */
export const compactList = (item: Fragment, order: Fragment, filter: Fragment = sql``): Fragment =>
  sql`array_to_json(array_agg(${item} order by ${order}) ${filter})`;

/** An object of type jsonb that is not empty. */
export const compactJsonb = (object: Fragment): Fragment =>
  sql`(select ('{' || string_agg(to_json(key)::text || ':' || value::text, ',') || '}')::json from jsonb_each(${object}))`;

/** A time as clients see it: ISO 8601 with milliseconds and the offset of the session's (the registry's) zone. */
export const isoTime = (column: Fragment): Fragment =>
  sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')`;
