import type { TSchema } from 'typebox';
import type { NamedRefusal } from '../../operations/named-refusal.ts';
import type { Catalogue } from '../../operations/refusal.ts';
import { acceptEmpty } from './accept-empty.ts';
import type { RefusalRenderer } from './http-answer.ts';
import type { DescribedEndpoint } from './endpoint.ts';
import { MAX_PATH_PARAMETER_LENGTH } from './limits.ts';
import { Components, type Json } from './openapi-components.ts';
import { type CausedEvent, type DescribedEvent, describeEvents } from './openapi-events.ts';

/** The parts of an OpenAPI document that do not come from the endpoints. */
export type ApiDescription<Name extends string> = {
  readonly prefix: string;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly securitySchemes: Readonly<Record<string, Json>>;
  /** Groups of calls in order, with their descriptions. */
  readonly groups: Readonly<Record<string, string>>;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Headers of every call that changes something. */
  readonly changeHeaders: readonly Json[];
  readonly catalogue: Catalogue & Readonly<Record<Name, unknown>>;
  /** Refusals of a call besides its own. */
  readonly commonRefusals: (endpoint: DescribedEndpoint) => readonly Name[];
  readonly exampleOf: (name: Name) => NamedRefusal;
  readonly renderRefusals: RefusalRenderer;
  readonly statusTexts: Readonly<Record<number, string>>;
  /** The schema of refusals with this status. */
  readonly failureSchema: (status: number) => TSchema;
  /** Wraps the schema of the data in that of a success. */
  readonly successSchema?: (data: Json) => Json;
  readonly successExample?: (data: object) => object;
  /** Whether a call needs no credentials. */
  readonly isOpen?: (endpoint: DescribedEndpoint) => boolean;
  /** Events that are posted to the client, and the group that they belong to. */
  readonly events?: {
    readonly group: string;
    readonly list: () => readonly DescribedEvent[];
    /** Which of them the calls cause, by operation. */
    readonly ofCalls: Readonly<Record<string, readonly CausedEvent[]>>;
  };
};

/** The OpenAPI document of an API, generated from the schemas that validate. */
export function openApiDocument<Name extends string>(
  api: ApiDescription<Name>,
  endpoints: readonly DescribedEndpoint<Name>[],
  version: string,
): Json {
  const components = new Components();
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const path = api.prefix + endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describeCall(endpoint, api, components),
    };
  }
  const { title, summary, description, securitySchemes, events } = api;
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'this server' }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: Object.entries(api.groups).map(([name, about]) => ({ name, description: about })),
    paths,
    ...(events && { webhooks: describeEvents(events.list(), events.group, components) }),
    components: { securitySchemes, schemas: sortedByName(components.schemas) },
  };
}

const sortedByName = (schemas: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => one.localeCompare(other)));

function describeCall<Name extends string>(
  endpoint: DescribedEndpoint<Name>,
  api: ApiDescription<Name>,
  components: Components,
): Json {
  const { id, group, summary, mutates, hasBody, example, status = 200 } = endpoint;
  const body = acceptEmpty((endpoint.describedBody ?? endpoint.body.schema) as Json);
  const caused = api.events?.ofCalls[id];
  return {
    operationId: id,
    tags: [group],
    summary,
    ...(api.isOpen?.(endpoint) && { security: [] }),
    ...(caused && { 'x-events': caused }),
    parameters: [
      ...pathParameters(endpoint, api.pathParameters),
      ...queryParameters(endpoint),
      ...headerParameters(endpoint),
      ...(mutates ? api.changeHeaders : []),
    ],
    ...(hasBody && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.referTo(body), example: example.body } },
      },
    }),
    responses: {
      [status]: describeSuccess(endpoint, api, components),
      ...describeRefusals(endpoint, api, components),
    },
  };
}

function describeSuccess<Name extends string>(
  { data, document, example }: DescribedEndpoint,
  { successSchema = (schema) => schema, successExample = (value) => value }: ApiDescription<Name>,
  components: Components,
): Json {
  const schema = components.referTo(data);
  return {
    description: 'Done',
    headers: REQUEST_ID,
    content:
      document === undefined
        ? { 'application/json': { schema: successSchema(schema), example: successExample(example.data) } }
        : { [document]: { schema } },
  };
}

/** One response per status, with an example of each refusal that has it. */
function describeRefusals<Name extends string>(
  endpoint: DescribedEndpoint<Name>,
  api: ApiDescription<Name>,
  components: Components,
): Record<string, Json> {
  const names = [...new Set([...api.commonRefusals(endpoint), ...endpoint.refusals])];
  const rendered = names.map((name) => ({ name, ...api.renderRefusals([api.exampleOf(name)]) }));
  return Object.fromEntries(
    [...Map.groupBy(rendered, ({ status }) => status)].map(([status, group]) => [
      status,
      {
        description: api.statusTexts[status],
        headers: REQUEST_ID,
        content: {
          'application/json': {
            schema: components.referTo(api.failureSchema(status)),
            examples: Object.fromEntries(
              group.map(({ name, body }) => [name, { summary: api.catalogue[name]?.when, value: body }]),
            ),
          },
        },
      },
    ]),
  );
}

const REQUEST_ID: Json = {
  'X-Request-Id': {
    description: "the client's own id where it was sane, else a new one",
    schema: { type: 'string' },
  },
};

export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'makes it safe to repeat the request: its first success is stored and repeated for at least 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function pathParameters(
  { path, example }: DescribedEndpoint,
  texts: Readonly<Record<string, string>>,
): Json[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: texts[name],
    schema: { type: 'string', maxLength: MAX_PATH_PARAMETER_LENGTH },
    example: example.params?.[name],
  }));
}

function headerParameters({ headers = {} }: DescribedEndpoint): Json[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query, example }: DescribedEndpoint): Json[] {
  const properties = (query.schema.properties ?? {}) as Record<string, Json>;
  const required = (query.schema.required ?? []) as readonly string[];
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : { allowEmptyValue: true }),
    description,
    schema,
    ...(example.query?.[name] !== undefined && { example: example.query[name] }),
  }));
}
