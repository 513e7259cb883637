import type { FastifyRequest } from 'fastify';
import type { RequestKey } from '../../operations/stored-answers.ts';
import {
  type NamedRefusal,
  type NameTable,
  nameRefusal,
  nameRefusals,
} from '../../operations/named-refusal.ts';
import { type Parsed, Refused } from '../../operations/refusal.ts';
import { isStorable } from './json-body.ts';
import { isRequired, normaliseValue } from './normalise-value.ts';
import { readRequestKey } from './request-key.ts';
import { refusal } from './request-refusals.ts';
import { type Failure, type SchemaNode, type SchemaValidator, withoutFields } from './validation.ts';

/** How an API reads requests and renders schema failures. */
export type Dialect = {
  /** Refuses unknown members, and characters in a query that cannot be stored. */
  readonly isStrict: boolean;
  readonly refusalOf: (failure: Failure) => NamedRefusal;
  /** What all calls of the API call the places of a request and of its command. */
  readonly names: NameTable;
  /**
   * Normalises a body to the form of its schema before validation, where the API accepts other forms too. A part that
   * cannot be normalised is a failure, and becomes an empty object.
   */
  readonly prepare?: (
    value: unknown,
    schema: SchemaNode,
  ) => { readonly value: unknown; readonly failures: readonly Failure[] };
};

/** A body of which some fields may already have failed. */
export type Unfinished<T> = T extends readonly (infer Item)[]
  ? readonly Unfinished<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Unfinished<T[K]> }
    : T;

export function readDryRun(request: FastifyRequest, refusals: NamedRefusal[]): boolean {
  const text = request.headers['dry-run'];
  if (text === undefined || text === 'false' || text === 'true') return text === 'true';
  refusals.push(refusal('wrongSyntax', { field: 'Dry-Run', expected: 'true or false' }));
  return true;
}

export function readKey(
  request: FastifyRequest,
  scope: string,
  refusals: NamedRefusal[],
): RequestKey | undefined {
  try {
    return readRequestKey(request, scope);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refusals.push(...nameRefusals(error.refusals, {}));
    return undefined;
  }
}

/** Query values are texts; integers are parsed where the schema has a number. */
export function readQuery(
  shape: SchemaValidator,
  query: unknown,
  { isStrict }: Dialect,
  refusals: NamedRefusal[],
): unknown {
  const properties = (shape.schema.properties ?? {}) as Record<string, { type?: string; default?: unknown }>;
  const values: Record<string, unknown> = { ...(query as object) };
  if (Object.keys(values).length === 0 && Object.keys(properties).length === 0) return values;
  const excess = shape.checkUnknown(values);
  if (excess.length > 0) {
    refusals.push(...excess);
    return values;
  }
  for (const [name, given] of Object.entries(values)) {
    const value = normaliseValue(given, properties[name]);
    values[name] = value;
    if (typeof value !== 'string') continue;
    if (value === '' && !isRequired(shape.schema, name)) delete values[name];
    if (isStrict && !isStorable(value))
      refusals.push(refusal('unprintableText', { field: name.slice(0, 200) }));
    if (properties[name]?.type === 'integer' && /^-?\d+$/.test(value)) values[name] = Number(value);
  }
  refusals.push(...shape.inOrder(shape.check(values)));
  for (const [name, property] of Object.entries(properties)) values[name] ??= property.default;
  return values;
}

/** A promise only where the parser returns one, which it does if it has much to parse. */
export function readBody<Input>(
  shape: SchemaValidator,
  body: unknown,
  { prepare, refusalOf, names }: Dialect,
  parse: (value: unknown) => Parsed<Input> | Promise<Parsed<Input>>,
  refusals: NamedRefusal[],
): Input | undefined | Promise<Input | undefined> {
  const prepared = prepare?.(body, shape.schema);
  const given = prepared ? prepared.value : body === undefined ? {} : body;
  const excess = [...shape.checkSizes(given), ...shape.checkUnknown(given)];
  if (excess.length > 0) {
    refusals.push(...excess);
    return undefined;
  }
  const value = normaliseValue(given, shape.schema);
  const structural = shape.check(value);
  const failed = structural.map(({ field }) => field);
  if (failed.includes('body')) {
    append(refusals, structural);
    return undefined;
  }
  const parsed = parse(structural.length === 0 ? value : withoutFields(value, failed, shape.schema));
  const replaced = (prepared?.failures ?? []).map(refusalOf);
  const conclude = (result: Parsed<Input>): Input | undefined => {
    if ('value' in result && structural.length + replaced.length === 0) return result.value;
    const isReported = overlapWith(failed.map((field) => field ?? ''));
    const further =
      'refusals' in result
        ? result.refusals
            .map((refusal) => nameRefusal(refusal, names))
            .filter(({ field }) => !isReported(field ?? ''))
        : [];
    append(refusals, shape.inOrder([...replaced, ...structural, ...further]));
    return undefined;
  };
  return parsed instanceof Promise ? parsed.then(conclude) : conclude(parsed);
}

/** One by one: a list of many thousands would be too many arguments. */
function append(refusals: NamedRefusal[], more: readonly NamedRefusal[]): void {
  for (const each of more) refusals.push(each);
}

/** Whether a field, a part of it or an enclosing object is among the reported ones. */
function overlapWith(reported: readonly string[]): (field: string) => boolean {
  const fields = new Set(reported);
  const around = new Set(reported.flatMap(enclosing));
  return (field) =>
    fields.has(field) || around.has(field) || enclosing(field).some((each) => fields.has(each));
}

/** The objects around a field: `a` and `a.b` for `a.b.c`. */
function enclosing(field: string): string[] {
  const steps = field.split('.');
  return steps.slice(1).map((_, place) => steps.slice(0, place + 1).join('.'));
}
