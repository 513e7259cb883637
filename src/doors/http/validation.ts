import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import type { NamedRefusal } from '../../operations/named-refusal.ts';
import { formats } from './formats.ts';

export type SchemaNode = { readonly [keyword: string]: unknown };
type Path = readonly string[];

/** A schema failure; each API renders it in its own way. */
export type Failure = {
  readonly problem: 'missing' | 'unknown' | 'range' | 'form';
  /** Empty for the body itself. */
  readonly path: Path;
  readonly keyword: string;
  /** The schema that the value failed. */
  readonly node: SchemaNode;
  /** Completes "must be …". */
  readonly expected: string;
  readonly value?: unknown;
};

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  strictRequired: false,
  verbose: true,
  allowUnionTypes: true,
  keywords: ['x-expected', 'x-component', 'x-documented', 'x-empty', 'x-emptied', 'x-verbatim'],
  formats,
});

/** Calls with the same body schema share its validator, and so do several servers in one process. */
const compiled = new Map<string, ValidateFunction>();

function compile(schema: SchemaNode): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, known);
  return known;
}

/** A schema, compiled when it is first needed: coerces texts to the type in the schema, and reports all failures. */
export class SchemaValidator {
  readonly schema: SchemaNode;
  readonly #refusalOf: (failure: Failure) => NamedRefusal;
  #compiled: ValidateFunction | undefined;
  readonly #scalars: readonly Path[];
  readonly #lists: readonly { readonly path: Path; readonly schema: SchemaNode }[];

  constructor(schema: TSchema, refusalOf: (failure: Failure) => NamedRefusal) {
    this.schema = schema as SchemaNode;
    this.#refusalOf = refusalOf;
    this.#scalars = pathsOf(this.schema, (node) => node.type === 'boolean');
    this.#lists = pathsOf(this.schema, (node) => node.type === 'array' && node.maxItems !== undefined).map(
      (path) => ({ path, schema: path.reduce<SchemaNode | undefined>(childOf, this.schema) ?? {} }),
    );
  }

  /** Of the lists that the schema bounds; of a list that is too long as many as it may have. */
  countItems(value: unknown): number {
    return this.#lists.reduce((sum, { path, schema }) => {
      const list = path.reduce(memberOf, value);
      return sum + (Array.isArray(list) ? Math.min(list.length, Number(schema.maxItems)) : 0);
    }, 0);
  }

  /** Lists that are too long. Their items are not validated: there may be as many as a body can hold. */
  checkSizes(value: unknown): NamedRefusal[] {
    return this.#lists.flatMap(({ path, schema }) => {
      const list = path.reduce(memberOf, value);
      if (!Array.isArray(list) || list.length <= Number(schema.maxItems)) return [];
      return [this.#refusalOf(failure('range', path, 'maxItems', schema))];
    });
  }

  /** The first unknown members, if there are more than any client misspells. The rest of such a value is not looked at. */
  checkUnknown(value: unknown): NamedRefusal[] {
    const found: Failure[] = [];
    collectUnknown(value, this.schema, [], found);
    return found.length <= MAX_UNKNOWN ? [] : found.slice(0, MAX_UNKNOWN).map(this.#refusalOf);
  }

  /** The failures of the value; it is changed in place where a text represents a boolean. */
  check(value: unknown): NamedRefusal[] {
    for (const path of this.#scalars) readBoolean(value, path);
    this.#compiled ??= compile(this.schema);
    const validate = this.#compiled;
    if (validate(value)) return [];
    // Of an anyOf/oneOf only the keyword itself is reported, not each branch; of an if/then the consequence.
    const errors = (validate.errors ?? []).filter(
      ({ schemaPath, keyword }) => !schemaPath.includes('/anyOf/') && keyword !== 'if',
    );
    return firstPerField(errors.map((error) => this.#toFailure(error))).map(this.#refusalOf);
  }

  /** Sorts failures by the order of the fields in the document. */
  inOrder(refusals: readonly NamedRefusal[]): NamedRefusal[] {
    const keys = new Map(
      refusals.map((item) => [item, this.#placeOf(item.field === 'body' ? [] : pathOf(item.field))]),
    );
    return refusals.toSorted((one, other) => compare(keys.get(one) ?? [], keys.get(other) ?? []));
  }

  #placeOf(path: Path): number[] {
    let node: SchemaNode | undefined = this.schema;
    return path.map((step) => {
      const names = Object.keys(node?.properties ?? {});
      const place = node?.type === 'array' ? Number(step) : names.indexOf(step);
      node = childOf(node, step);
      return place < 0 ? Number.MAX_SAFE_INTEGER : place;
    });
  }

  #toFailure({ keyword, instancePath, params, parentSchema, data }: ErrorObject): Failure {
    const path = instancePath.split('/').slice(1).map(unescapePointer);
    const node = parentSchema as SchemaNode;
    const whole = this.#listReportedAsWhole(path);
    if (whole) return failure('form', whole.path, keyword, whole.node);
    if (data === '' || (data === null && (this.#isRequired(path) || node['x-empty'] === 'refused')))
      return failure('missing', path, keyword, node);
    switch (keyword) {
      case 'required':
        return failure('missing', [...path, String(params.missingProperty)], keyword, node);
      case 'additionalProperties':
        return failure('unknown', [...path, String(params.additionalProperty)], keyword, node);
      case 'minLength':
      case 'minItems':
      case 'minProperties':
        if (isEmpty(data)) return failure('missing', path, keyword, node);
        break;
    }
    return { ...failure(OUT_OF_RANGE.has(keyword) ? 'range' : 'form', path, keyword, node), value: data };
  }

  /** A list whose schema describes its expected value is reported as a whole, even if one item failed. */
  #listReportedAsWhole(path: Path): { readonly path: Path; readonly node: SchemaNode } | undefined {
    let node: SchemaNode | undefined = this.schema;
    for (const [place, step] of path.entries()) {
      if (node?.type === 'array' && node['x-expected'] !== undefined)
        return { path: path.slice(0, place), node };
      node = childOf(node, step);
    }
    return undefined;
  }

  #isRequired(path: Path): boolean {
    const parent = path.slice(0, -1).reduce<SchemaNode | undefined>(childOf, this.schema);
    return ((parent?.required as readonly string[] | undefined) ?? []).includes(path.at(-1) ?? '');
  }
}

const failure = (problem: Failure['problem'], path: Path, keyword: string, node: SchemaNode): Failure => ({
  problem,
  path,
  keyword,
  node,
  expected: expectationOf(keyword, node),
});

/** Each takes time to describe, and a body has room for thousands. */
const MAX_UNKNOWN = 20;

/** Up to the first one that is not told. What a schema describes by alternatives is left to the validator. */
function collectUnknown(value: unknown, node: SchemaNode | undefined, path: Path, found: Failure[]): void {
  if (!node || isOpaque(node) || typeof value !== 'object' || value === null) return;
  const isClosed = node.additionalProperties === false;
  for (const name in value) {
    if (found.length > MAX_UNKNOWN) return;
    const child = childOf(node, name);
    if (child) collectUnknown(memberOf(value, name), child, [...path, name], found);
    else if (isClosed) found.push(failure('unknown', [...path, name], 'additionalProperties', node));
  }
}

/** A schema that knows no members of a value, and takes any. */
const isOpaque = (node: SchemaNode): boolean =>
  node.properties === undefined && node.items === undefined && node.additionalProperties !== false;

function firstPerField(failures: readonly Failure[]): Failure[] {
  const first = new Map<string, Failure>();
  for (const each of failures) {
    const field = each.path.join('.');
    if (!first.has(field)) first.set(field, each);
  }
  return [...first.values()];
}

/** The path of a field in either notation: `a.0.b` or `a[0].b`. */
const pathOf = (field: string | null): Path => field?.split(/[.[\]]+/).filter((step) => step !== '') ?? [];

const OUT_OF_RANGE = new Set(['minimum', 'maximum', 'minItems', 'maxItems']);
const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

/** What a value had to be, which completes "must be …". */
export function expectationOf(keyword: string, node: SchemaNode): string {
  if (typeof node['x-expected'] === 'string') return node['x-expected'];
  if (keyword === 'type') return TYPE_NAMES[String(node.type)] ?? String(node.type);
  if (keyword === 'enum') return `one of ${(node.enum as readonly unknown[]).join(', ')}`;
  if (keyword === 'minimum' || keyword === 'maximum')
    return `from ${node.minimum ?? 'any'} to ${node.maximum ?? 'any'}`;
  if (keyword === 'maxItems' || keyword === 'minItems')
    return `a list of ${node.minItems ?? 0} to ${node.maxItems ?? 'any number of'} items`;
  if (keyword === 'maxLength' || keyword === 'minLength')
    return `a text of ${node.minLength ?? 0} to ${node.maxLength ?? 'any number of'} characters`;
  return 'of another form';
}

type FailedPart = { isFailed: boolean; readonly members: Map<string, FailedPart> };

/**
 * Removes failed fields, so that the rest can be validated further. An item of a list keeps its place: one that failed as
 * a whole becomes an empty one, whose failures are reported already.
 */
export function withoutFields(
  value: unknown,
  fields: readonly (string | null)[],
  schema: SchemaNode,
): unknown {
  const failed: FailedPart = { isFailed: false, members: new Map() };
  for (const field of fields) {
    let part = failed;
    for (const step of pathOf(field)) {
      const deeper = part.members.get(step) ?? { isFailed: false, members: new Map() };
      part.members.set(step, deeper);
      part = deeper;
    }
    part.isFailed = true;
  }
  return withoutParts(value, failed, schema);
}

/** Only what encloses a failed field is copied. */
function withoutParts(value: unknown, { members }: FailedPart, node: SchemaNode | undefined): unknown {
  if (typeof value !== 'object' || value === null || members.size === 0) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  for (const [name, part] of members) {
    const child = childOf(node, name);
    if (!Object.hasOwn(copy, name)) continue;
    if (!part.isFailed) copy[name] = withoutParts(copy[name], part, child);
    else if (Array.isArray(value)) copy[name] = child?.type === 'object' ? {} : '';
    else delete copy[name];
  }
  return copy;
}

function childOf(node: SchemaNode | undefined, step: string): SchemaNode | undefined {
  if (node?.type === 'array') return node.items as SchemaNode;
  const properties = (node?.properties ?? {}) as Record<string, SchemaNode>;
  return Object.hasOwn(properties, step) ? properties[step] : undefined;
}

function pathsOf(node: SchemaNode, wanted: (node: SchemaNode) => boolean, path: Path = []): Path[] {
  if (wanted(node)) return [path];
  const children = Object.entries((node.properties as Record<string, SchemaNode> | undefined) ?? {});
  return children.flatMap(([name, child]) => pathsOf(child, wanted, [...path, name]));
}

function readBoolean(value: unknown, path: Path): void {
  const parent = path.slice(0, -1).reduce(memberOf, value);
  const name = path.at(-1) ?? '';
  const text = memberOf(parent, name);
  if (text === 'true' || text === 'false') (parent as Record<string, unknown>)[name] = text === 'true';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

const isEmpty = (data: unknown): boolean =>
  data === '' || (typeof data === 'object' && data !== null && Object.keys(data).length === 0);
const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, place] of one.entries()) {
    const difference = place - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
