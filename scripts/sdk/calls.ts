/** The calls of the registrar API as the client offers them, read from its OpenAPI document. */
import {
  FEEDS,
  fixedBody,
  groupName,
  methodName,
  type Unwrapped,
  unwrapBody,
} from '../../src/doors/pages/reference/client-names.ts';
import { withPartsInPlace } from '../../src/doors/http/openapi-components.ts';
import { type Flag, referredName, type Schema } from './schema-types.ts';

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Content = Readonly<Record<string, { readonly schema: Schema; readonly examples?: object }>>;
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
};
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<
    Record<string, { readonly post: Required<Pick<Operation, 'summary' | 'requestBody'>> }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Flags of the query that choose between two forms of the answer. */
const FLAGS = ['details', 'simple', 'detailed'];
/** Members that are there only with a flag. */
const FLAGGED_MEMBERS: Readonly<Record<string, string>> = { detailed: 'transactions' };
/** Where a list has the same items under two names. */
const LIST_MEMBERS: Readonly<Record<string, string>> = { listDomains: 'domains' };
/** Statuses whose bodies name no refusal: see the Failure schema. */
const UNNAMED = ['200', '201', '401', '500', '503'];
const CHANGE_HEADERS = ['Idempotency-Key', 'Dry-Run'];

export type Body = Unwrapped<Schema>;

export type CallModel = {
  readonly id: string;
  readonly group: string;
  readonly method: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly summary: string;
  readonly pathParameters: readonly string[];
  readonly query: readonly Parameter[];
  readonly headers: readonly Parameter[];
  readonly body: Body | undefined;
  readonly fixedBody: string | undefined;
  readonly data: Schema;
  readonly isDocument: boolean;
  readonly isBulk: boolean;
  readonly mutates: boolean;
  readonly flag: Flag | undefined;
  /** The member that has the items of a page; empty if the data are the items. */
  readonly listMember: string | undefined;
  readonly refusals: readonly string[];
};

export const pascal = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export function readCalls(document: Document): CallModel[] {
  const { paths, components } = withPartsInPlace(document);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      readCall(path, method, operation, components.schemas),
    ),
  );
}

function readCall(
  path: string,
  method: string,
  operation: Operation,
  schemas: Readonly<Record<string, Schema>>,
): CallModel {
  const { operationId: id, parameters, responses, requestBody, summary, tags } = operation;
  const [tag = ''] = tags;
  const placed = (where: string) => parameters.filter((parameter) => parameter.in === where);
  const query = placed('query');
  const content = (responses['200'] ?? responses['201'])?.content ?? {};
  const envelope = content['application/json']?.schema;
  const flagged = query.find(({ name }) => FLAGS.includes(name));
  const data = envelope?.properties?.data ?? Object.values(content)[0]?.schema;
  if (!data) throw new Error(`${id} answers nothing`);
  const fixed = fixedBody(id);
  const sent = requestBody?.content['application/json']?.schema;
  return {
    id,
    summary,
    path,
    query,
    fixedBody: fixed,
    group: groupName(tag),
    method: methodName(id),
    httpMethod: method.toUpperCase(),
    pathParameters: placed('path').map(({ name }) => name),
    headers: placed('header').filter(({ name }) => !CHANGE_HEADERS.includes(name)),
    body: sent && fixed === undefined ? unwrapped(sent, schemas) : undefined,
    // Whatever a document says about itself, it is given as it came.
    data: envelope ? withoutDryRun(data) : { type: 'string', format: 'binary' },
    isDocument: envelope === undefined,
    isBulk: tag === 'Bulk actions',
    mutates: placed('header').some(({ name }) => name === 'Idempotency-Key'),
    flag: flagged && {
      name: flagged.name,
      type: pascal(flagged.name),
      member: FLAGGED_MEMBERS[flagged.name],
    },
    listMember:
      query.some(({ name }) => name === 'after') && !FEEDS.includes(id)
        ? (LIST_MEMBERS[id] ?? itemsIn(id, data))
        : undefined,
    refusals: refusalsOf(responses),
  };
}

function unwrapped(schema: Schema, schemas: Readonly<Record<string, Schema>>): Body {
  return unwrapBody(schema, (inner) =>
    inner.$ref === undefined ? inner : (schemas[referredName(inner.$ref)] ?? inner),
  );
}

function withoutDryRun(data: Schema): Schema {
  if (!data.properties) return data;
  const { dry_run: _, ...properties } = data.properties;
  return { ...data, properties };
}

function itemsIn(id: string, data: Schema): string {
  if (data.type === 'array') return '';
  const lists = Object.entries(data.properties ?? {}).filter(([, { type }]) => type === 'array');
  const [[name] = []] = lists;
  if (name === undefined || lists.length > 1) throw new Error(`which member of ${id} has the items?`);
  return name;
}

const refusalsOf = (responses: Operation['responses']): string[] =>
  Object.entries(responses)
    .filter(([status]) => !UNNAMED.includes(status))
    .flatMap(([, { content }]) => Object.keys(content['application/json']?.examples ?? {}));
