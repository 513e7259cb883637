import type { Endpoint } from './endpoint.ts';
import { listedRefusal, SUCCESS, SUCCESS_TEXT, statusOf } from './envelope.ts';
import { PREFIX } from './prefix.ts';
import { catalogue, type RefusalName, refusal } from './refusals.ts';

type Json = Readonly<Record<string, unknown>>;

/** What any call can hear, whatever it does. */
const EVERY_CALL: readonly RefusalName[] = [
  ...(['unknownField', 'wrongSyntax', 'badCredentials', 'otherFormat', 'teapot'] as const),
  ...(['tooManyRequests', 'tooManyFailures', 'fault'] as const),
  ...(['maintenance', 'overload', 'databaseAway', 'clockWrong'] as const),
];
const EVERY_CHANGE: readonly RefusalName[] = [
  'notAllowed',
  'malformedJson',
  'bodyTooLarge',
  'tooManyValues',
  'keyReused',
];
const EVERY_READ: readonly RefusalName[] = ['notAllowed'];

const GROUPS: Readonly<Record<string, string>> = {
  Billing: "The registrar's account, and the invoices that fill it",
  'Poll messages': 'What the registry has to tell the registrar',
  Contacts: 'People and organisations behind domains',
  Domains: 'Registering, reading, changing, renewing and deleting',
  Nameservers: 'Where a domain is delegated to',
  DNSSEC: 'The keys behind the chain of trust',
  Statuses: 'The hold that a registrar may set',
  Transfers: 'Taking over a domain of another registrar',
  'Bulk actions': 'Many domains in one call',
};
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  contact_id: 'contact code, in any case',
  invoice_number: 'number of the invoice',
  domain_name: 'domain name, in Unicode or punycode, in any case',
  nameserver_hostname: 'name of the host',
  notification_id: 'number of the message',
  status: 'clientHold',
};

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'The request is malformed or breaks a rule; `errors` lists every failure',
  401: 'Credentials, certificate or address are not accepted',
  403: 'Not allowed to this user or registrar',
  404: 'The object does not exist',
  406: 'Only JSON is spoken here',
  410: 'The object was removed',
  418: 'This registry is a teapot',
  429: 'Too many requests or failed logins',
  500: 'A fault of ours',
  503: 'Maintenance, overload, the database is away, or a clock is wrong',
};

/** The OpenAPI document, made of the very schemas that validate. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const path = PREFIX + endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeCall(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cadastre registrar API',
      version,
      summary: 'Domains, contacts, money and messages for accredited registrars',
      description: `Every answer is an envelope of code, message and data; code ${SUCCESS} is success. Every answer carries X-Request-Id.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'this server' }],
    security: [{ basic: [] }],
    tags: [...new Set(endpoints.map(({ group }) => group))].map((name) => ({
      name,
      description: GROUPS[name],
    })),
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'username and password of an API user' },
      },
      schemas: { Failure: FAILURE },
    },
  };
}

function describeCall(endpoint: Endpoint): Json {
  const { id, group, summary, mutates, hasBody, example } = endpoint;
  return {
    operationId: id,
    tags: [group],
    summary,
    parameters: [
      ...pathParameters(endpoint),
      ...queryParameters(endpoint),
      ...headerParameters(endpoint),
      ...(mutates ? CHANGE_HEADERS : []),
    ],
    ...(hasBody && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: endpoint.body.schema, example: example.body } },
      },
    }),
    responses: { 200: describeSuccess(endpoint), ...describeRefusals(endpoint) },
  };
}

function describeSuccess({ data, document, example }: Endpoint): Json {
  if (document !== undefined)
    return { description: 'Done', headers: REQUEST_ID, content: { [document]: { schema: data } } };
  const schema = {
    type: 'object',
    properties: { code: { const: SUCCESS }, message: { type: 'string' }, data },
    required: ['code', 'message', 'data'],
    additionalProperties: false,
  };
  const answer = { code: SUCCESS, message: SUCCESS_TEXT, data: example.data };
  return {
    description: 'Done',
    headers: REQUEST_ID,
    content: { 'application/json': { schema, example: answer } },
  };
}

/** One response per status, with an example of each refusal that has it. */
function describeRefusals({ refusals, mutates, right, hasBody }: Endpoint): Record<string, Json> {
  const names = [
    ...new Set([
      ...EVERY_CALL,
      ...(mutates ? EVERY_CHANGE : EVERY_READ),
      ...(hasBody ? (['fieldMissing'] as const) : []),
      ...refusals,
    ]),
  ];
  const possible = right === 'objects' ? names : names.filter((name) => name !== 'notAllowed');
  const byStatus = Map.groupBy(possible, (name) => statusOf[catalogue[name].kind]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: STATUS_TEXTS[status],
        headers: REQUEST_ID,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            examples: Object.fromEntries(
              group.map((name) => [name, { summary: catalogue[name].when, value: exampleOf(name) }]),
            ),
          },
        },
      },
    ]),
  );
}

/** Something to stand in for every gap in a refusal's text. */
const EXAMPLE_DETAILS = {
  ...{
    field: 'contact.phone',
    expected: 'a phone number such as +372.5555555',
    seconds: 12,
    requestId: '7c9e6679-7425',
    object: 'mari',
    contact: 'mari',
  },
  ...{
    why: 'reserved',
    what: 'transfer code',
    role: 'tech',
    least: 2,
    most: 11,
    limit: '2037-11-15',
    days: 90,
    day: '2026-11-16',
    name: 'example.ee',
  },
};

/** The envelope that a refusal makes. */
export function exampleOf(name: RefusalName): Json {
  const item = refusal(name, EXAMPLE_DETAILS);
  const { code, message, kind } = item;
  const listed = kind === 'syntax' || kind === 'rule' ? { errors: [listedRefusal(item)] } : {};
  return { code, message, data: {}, ...listed };
}

const FAILURE: Json = {
  type: 'object',
  description: 'code and message repeat the first of the errors',
  properties: {
    code: { type: 'integer', minimum: 2000, maximum: 2599 },
    message: { type: 'string' },
    data: { type: 'object', additionalProperties: false },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          code: { type: 'integer' },
          message: { type: 'string' },
          field: { type: ['string', 'null'] },
        },
        required: ['code', 'message', 'field'],
        additionalProperties: false,
      },
    },
  },
  required: ['code', 'message', 'data'],
  additionalProperties: false,
};
const REQUEST_ID: Json = {
  'X-Request-Id': {
    description: "the client's own id where it was sane, else a new one",
    schema: { type: 'string' },
  },
};
const CHANGE_HEADERS: readonly Json[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'makes it safe to repeat the request: its first success is stored and repeated for at least 24 hours',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  {
    name: 'Dry-Run',
    in: 'header',
    description: 'true runs every check, tells the price and changes nothing',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
];

function pathParameters({ path, example }: Endpoint): Json[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name],
    schema: { type: 'string', maxLength: 255 },
    example: example.params?.[name],
  }));
}

function headerParameters({ headers = {} }: Endpoint): Json[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query, example }: Endpoint): Json[] {
  const properties = (query.schema.properties ?? {}) as Record<string, Json>;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
    ...(example.query?.[name] !== undefined && { example: example.query[name] }),
  }));
}
