import type typebox from 'typebox';

/**
 * The builders of typebox that are used here, as the plain JSON schemas that they make. Only its types are imported:
 * its 370 modules would take a fifth of the time in which a command starts.
 */
type Builders = Pick<
  typeof typebox,
  | ('Array' | 'Boolean' | 'Enum' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object')
  | ('Optional' | 'Partial' | 'Record' | 'String' | 'Union' | 'Unknown' | 'Unsafe')
>;

type Schema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, Schema>>;

/** Kept beside the schemas: they become parts of documents as they are. */
const optional = new WeakSet<Schema>();

function markOptional(schema: Schema): Schema {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

function objectOf(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name] ?? {}));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

const typed = (type: string) => (options?: Schema) => ({ type, ...options });

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: typed('boolean'),
  Enum: (values: readonly unknown[], options?: Schema) => ({ enum: [...values], ...options }),
  Integer: typed('integer'),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: typed('null'),
  Number: typed('number'),
  Object: objectOf,
  Optional: markOptional,
  Partial: ({ properties }: { readonly properties: Properties }, options?: Schema) =>
    objectOf(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, markOptional(schema)])),
      options,
    ),
  /** Of texts as keys. */
  Record: (_key: Schema, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: typed('string'),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

/**
 * For a schema that lets through what rules refuse for reasons of their own: the bounds of these rules, by which the
 * document describes it.
 */
export const documented = (bounds: Schema) => ({ 'x-documented': bounds }) as const;

export const Type = builders as unknown as Builders;
