import { type Api, type Json, members } from './model.ts';

/** One field of a body, named by its path: `contact.ident.ident_type`, `contacts[].name`. */
export type Field = {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly limits: string;
};

/** Deeper than any of our bodies; bounds recursive schemas. */
const MAX_DEPTH = 8;

/** Every field below a schema, parents before children. */
export function fieldsOf(schema: Json, resolve: Api['resolve'], path = '', depth = 0): Field[] {
  if (depth > MAX_DEPTH) return [];
  return childrenOf(formsOf(schema, resolve), path).flatMap(({ name, required, schema: child }) => {
    const below = fieldsOf(child, resolve, name, depth + 1);
    // Items of a list get their own row only if they have no fields.
    if (name.endsWith('[]') && below.length > 0) return below;
    return [describe(name, child, required, resolve), ...below];
  });
}

type Child = { readonly name: string; readonly schema: Json; readonly required: boolean };

/** The fields of any alternative; one is required if every alternative requires it. */
function childrenOf(forms: readonly Json[], path: string): Child[] {
  const objects = forms.filter((form) => 'properties' in form);
  const required = (name: string) =>
    objects.every((form) => Array.isArray(form.required) && form.required.includes(name));
  const properties = objects.flatMap((form) => Object.entries(members(form.properties)));
  const items = forms.map((form) => members(form.items)).filter(isStructured);
  const dot = path === '' ? '' : `${path}.`;
  const named = new Map<string, Child>();
  for (const [name, schema] of properties) {
    if (!named.has(name))
      named.set(name, { name: dot + name, schema: members(schema), required: required(name) });
  }
  return [
    ...named.values(),
    ...items.slice(0, 1).map((schema) => ({ name: `${path}[]`, schema, required: true })),
  ];
}

function isStructured(schema: Json): boolean {
  return ['properties', 'items', 'anyOf', 'oneOf', 'allOf', '$ref'].some((key) => key in schema);
}

function describe(path: string, schema: Json, required: boolean, resolve: Api['resolve']): Field {
  const { description } = resolve(schema);
  return {
    path,
    required,
    type: typeOf(schema, resolve),
    description: typeof description === 'string' ? description : '',
    limits: limitsOf(schema, resolve),
  };
}

/** The alternatives of a schema; usually one. */
function formsOf(schema: Json, resolve: Api['resolve']): Json[] {
  const whole = joined(resolve(schema), resolve);
  const choices = whole.anyOf ?? whole.oneOf;
  return Array.isArray(choices) ? choices.flatMap((choice) => formsOf(members(choice), resolve)) : [whole];
}

/** Merges the schemas of an allOf. */
function joined(schema: Json, resolve: Api['resolve']): Json {
  if (!Array.isArray(schema.allOf)) return schema;
  const parts = [schema, ...schema.allOf.map((part) => joined(resolve(members(part)), resolve))];
  return {
    ...Object.assign({}, ...parts.toReversed()),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

export function typeOf(schema: Json, resolve: Api['resolve']): string {
  return [...new Set(formsOf(schema, resolve).map((form) => typeOfForm(form, resolve)))].join(' or ');
}

function typeOfForm(form: Json, resolve: Api['resolve']): string {
  const { type, enum: choices, const: only, items } = form;
  if (type === 'array') return `list of ${typeOf(members(items), resolve)}`;
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'object' && form.patternProperties)
    return `map to ${Object.values(members(form.patternProperties)).map((value) => typeOf(members(value), resolve))}`;
  if (typeof type === 'string') return type;
  if (Array.isArray(choices)) return [...new Set(choices.map(kindOf))].join(' or ');
  return only === undefined ? 'any' : kindOf(only);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

const asCode = (value: unknown): string => `\`${String(value)}\``;

/** The constraints of a value in words, with values in backticks. */
export function limitsOf(schema: Json, resolve: Api['resolve']): string {
  const forms = formsOf(schema, resolve).map((form) =>
    form.type === 'array' ? { ...members(form.items), ...form } : form,
  );
  return [...new Set(forms.flatMap(limitsOfForm))].join('; ');
}

function limitsOfForm(form: Json): string[] {
  const { enum: choices, const: only, default: usual, pattern, format } = form;
  return [
    Array.isArray(choices) ? `one of ${choices.map(asCode).join(', ')}` : '',
    only === undefined ? '' : `always ${asCode(only)}`,
    range(form.minimum, form.maximum, ''),
    range(form.minLength === 1 ? undefined : form.minLength, form.maxLength, ' characters'),
    range(form.minItems, form.maxItems, ' items'),
    typeof pattern === 'string' ? `matches ${asCode(pattern)}` : '',
    typeof format === 'string' ? format : '',
    usual === undefined ? '' : `${asCode(usual)} unless given`,
  ].filter((words) => words !== '');
}

function range(least: unknown, most: unknown, unit: string): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `at least ${grouped(least)}${unit}`;
  return least === undefined
    ? `at most ${grouped(most)}${unit}`
    : `${grouped(least)} to ${grouped(most)}${unit}`;
}

const grouped = (value: unknown): string =>
  typeof value === 'number' ? value.toLocaleString('en') : String(value);
