import { acceptEmpty } from './accept-empty.ts';
import type { DescribedEndpoint } from './endpoint.ts';
import { MAX_PATH_PARAMETER_LENGTH } from './limits.ts';
import { camelCase } from './name-cases.ts';
import { Components, type Json } from './openapi-components.ts';
import type { ApiDescription } from './openapi-description.ts';
import { describeEvents } from './openapi-events.ts';
import { describeRefusals, requestIdHeader } from './openapi-refusals.ts';

/** The OpenAPI document of an API, generated from the schemas that validate. */
export function openApiDocument<Name extends string>(
  api: ApiDescription<Name>,
  endpoints: readonly DescribedEndpoint<Name>[],
  { version, server }: { readonly version: string; readonly server: string },
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
  const { title, summary, description, guide, securitySchemes, events } = api;
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      summary,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'How it works', url: `${server}${guide}` },
    servers: [{ url: server }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: Object.entries(api.groups).map(([name, about]) => ({ name, description: about })),
    paths,
    ...(events && { webhooks: describeEvents(events.list(), events.group, components) }),
    components: { securitySchemes, ...components.described() },
  };
}

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
    ].map((parameter) => components.share('parameters', camelCase(String(parameter.name)), parameter)),
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
    headers: requestIdHeader(components),
    content:
      document === undefined
        ? { 'application/json': { schema: successSchema(schema), example: successExample(example.data) } }
        : { [document]: { schema } },
  };
}

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
