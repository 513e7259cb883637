import { isDeepStrictEqual } from 'node:util';

export type Json = Readonly<Record<string, unknown>>;

/** The named schemas of a document, and references to them. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /** Rewrites a schema for the document: named schemas become references. */
  referTo(schema: object): Json {
    const { 'x-component': name, ...rest } = this.#walk(schema) as Json;
    if (typeof name !== 'string') return rest;
    const known = this.schemas[name];
    if (known && !isDeepStrictEqual(known, rest)) throw new Error(`two schemas have the name ${name}`);
    this.schemas[name] = rest;
    return { $ref: `#/components/schemas/${name}` };
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
