/** TypeScript types of the JSON schemas that our OpenAPI documents use. */

export type Schema = {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly description?: string;
};

/** A flag of the query that chooses between the two branches of a union, or whether there is a member. */
export type Flag = { readonly name: string; readonly type: string; readonly member: string | undefined };

export const literal = (value: unknown): string => `'${String(value)}'`;
export const unionOf = (names: readonly string[]): string => names.map(literal).join(' | ') || 'never';
export const docOf = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;

/** The named schema that a reference leads to. */
export const referredName = ($ref: string): string => $ref.replace('#/components/schemas/', '');

const isEmptyObject = ({ type, properties, additionalProperties }: Schema): boolean =>
  type === 'object' && additionalProperties === false && Object.keys(properties ?? {}).length === 0;

/** The type of a schema. A form that the documents do not use yet is an error, not an `unknown` that nobody notices. */
export function typeOf(schema: Schema, flag?: Flag): string {
  if (schema.$ref !== undefined) return referredName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Object.keys(schema).length === 0) return 'unknown';
  if (schema.anyOf) return unionType(schema.anyOf, flag);
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Uint8Array' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, flag)})[]`;
    case 'object':
      return objectType(schema, flag);
    default:
      throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
  }
}

function unionType(branches: readonly Schema[], flag: Flag | undefined): string {
  const [first, second, ...rest] = branches;
  if (flag && first && second && rest.length === 0)
    return `Flagged<${flag.type}, ${typeOf(second)}, ${typeOf(first)}>`;
  const other = branches.find((branch) => !isEmptyObject(branch));
  return branches
    .map((branch) =>
      isEmptyObject(branch) && other ? `Absent<${typeOf(other)}>` : `(${typeOf(branch, flag)})`,
    )
    .join(' | ');
}

function objectType({ properties = {}, patternProperties, required = [], ...rest }: Schema, flag?: Flag) {
  const [values] = Object.values(patternProperties ?? {});
  if (values) return `Readonly<Record<string, ${typeOf(values, flag)}>>`;
  const members = Object.entries(properties).map(([name, member]) => {
    if (name === flag?.member)
      return `${docOf(member.description)}readonly ${name}: Flagged<${flag.type}, ${typeOf(member)}, undefined>;`;
    const isRequired = required.includes(name);
    return `${docOf(member.description)}readonly ${name}${isRequired ? '' : '?'}: ${typeOf(member, flag)}${isRequired ? '' : ' | undefined'};`;
  });
  if (members.length > 0) return `{\n${members.join('\n')}\n}`;
  return rest.additionalProperties === true
    ? 'Readonly<Record<string, unknown>>'
    : 'Readonly<Record<never, never>>';
}
