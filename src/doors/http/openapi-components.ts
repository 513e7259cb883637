import { isDeepStrictEqual } from 'node:util';

export type Json = Readonly<Record<string, unknown>>;

/** What documents share besides schemas. */
type Part = 'parameters' | 'headers' | 'responses' | 'examples';

/** The named parts of a document, and references to them. */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #parts: Readonly<Record<Part, Record<string, Json>>> = {
    parameters: {},
    headers: {},
    responses: {},
    examples: {},
  };

  /** What became of schemas: many calls have the same ones. */
  readonly #referred = new WeakMap<object, Json>();

  /** Rewrites a schema for the document: named schemas become references. */
  referTo(schema: object): Json {
    const known = this.#referred.get(schema);
    if (known) return known;
    const made = this.#rewritten(schema);
    this.#referred.set(schema, made);
    return made;
  }

  #rewritten(schema: object): Json {
    const { 'x-component': name, 'x-documented': documented, ...checked } = this.#walk(schema) as Json;
    const rest = { ...checked, ...(documented as Json | undefined) };
    if (typeof name !== 'string') return rest;
    const known = this.schemas[name];
    if (known && !isDeepStrictEqual(known, rest)) throw new Error(`two schemas have the name ${name}`);
    this.schemas[name] = rest;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A reference to the part of this name; the part itself if another one has the name already. */
  share(kind: Part, name: string, part: Json): Json {
    const parts = this.#parts[kind];
    const known = parts[name];
    if (known && !isDeepStrictEqual(known, part)) return part;
    parts[name] = part;
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** All of them as the document has them. */
  described(): Json {
    const all = Object.entries({ schemas: this.schemas, ...this.#parts });
    return Object.fromEntries(
      all
        .filter(([, parts]) => Object.keys(parts).length > 0)
        .map(([kind, parts]) => [kind, sortedByName(parts)]),
    );
  }

  #walk(node: object): unknown {
    return Array.isArray(node)
      ? node.map((item) => this.#child(item))
      : Object.fromEntries(Object.entries(node).map(([name, value]) => [name, this.#child(value)]));
  }

  #child(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.#walk(value) : this.referTo(value);
  }
}

const sortedByName = (parts: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(parts).sort(([one], [other]) => one.localeCompare(other)));

const SHARED = /^#\/components\/(?:parameters|headers|responses|examples)\//;

/** A document in which only schemas are referred to: its other shared parts stand where they are used. */
export function withPartsInPlace<Document extends object>(document: Document): Document {
  const { components } = document as { readonly components?: Readonly<Record<string, unknown>> };
  const inPlace = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inPlace);
    const { $ref } = value as { readonly $ref?: unknown };
    if (typeof $ref === 'string' && SHARED.test($ref)) {
      const [, , kind = '', name = ''] = $ref.split('/');
      return inPlace((components?.[kind] as Json | undefined)?.[name]);
    }
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inPlace(member)]));
  };
  const { components: _, ...rest } = document as Readonly<Record<string, unknown>>;
  return { ...(inPlace(rest) as Document), components };
}
