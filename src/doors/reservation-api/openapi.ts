import type { TSchema } from 'typebox';
import { calls, type DescribedCall } from './described.ts';
import { RESERVATION_PREFIX } from './prefix.ts';
import { Failure } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

/** The reservation API as an OpenAPI document. */
export function reservationDocument(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of calls) {
    const path = RESERVATION_PREFIX + call.path;
    paths[path] = { ...paths[path], [call.method]: describe(call) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cadastre reservation API',
      version,
      summary: 'Domain names for founders, reserved by the business portal',
      description:
        'Every call needs a token and an address that is on the list of the registry. Errors are {"error": text}. Every answer carries X-Request-Id.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'this server' }],
    security: [{ token: [] }],
    tags: [
      { name: 'Names', description: 'Names that fit an organisation' },
      { name: 'Free reservations', description: 'For seven days' },
      { name: 'Paid reservations', description: 'For a year from the payment' },
    ],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'a token that the registry has made; beside it the address of the caller must be on its list',
        },
      },
      schemas: { Failure },
    },
  };
}

function describe({
  id,
  group,
  summary,
  method,
  body,
  answer,
  parameters = [],
  refusals,
}: DescribedCall): Json {
  return {
    operationId: id,
    tags: [group],
    summary,
    parameters: [...parameters.map(parameter), ...(method === 'post' ? [IDEMPOTENCY_KEY] : [])],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body.schema, example: body.example } },
      },
    }),
    responses: {
      [method === 'post' ? 201 : 200]: success(answer),
      ...Object.fromEntries(
        Object.entries({ ...EVERY_CALL, ...refusals }).map(([status, texts]) => [
          status,
          failure(status, texts),
        ]),
      ),
    },
  };
}

const success = ({ type = 'application/json', schema, example }: DescribedCall['answer']): Json => ({
  description: 'Done',
  headers: REQUEST_ID,
  content: { [type]: { schema, ...(example !== undefined && { example }) } },
});

function failure(status: string, texts: readonly string[]): Json {
  const examples = texts.map((text, place) => [`example${place + 1}`, { value: { error: text } }]);
  return {
    description: STATUS_TEXTS[status],
    headers: REQUEST_ID,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function parameter(given: { name: string; in: 'path' | 'query'; schema: TSchema; example?: unknown }): Json {
  const { description, ...schema } = given.schema as Json;
  const required = given.in === 'path' || !('~optional' in given.schema);
  return { ...given, required, description, schema };
}

const EVERY_CALL = {
  401: ['Unauthorized'],
  429: ['Too many requests'],
  500: ['Internal error, request 7c9e6679-7425'],
  503: ['Service unavailable'],
} as const;

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  400: 'The request is malformed',
  401: 'Token or address are not accepted',
  404: 'There is no such reservation',
  422: 'The request cannot be carried out',
  429: 'Too many requests, failures, or reservations that nobody has; Retry-After tells how long to wait',
  500: 'A fault of ours',
  502: 'No invoice can be issued at the moment',
  503: 'Maintenance, overload, the database is away, or a clock is wrong',
};
const REQUEST_ID: Json = {
  'X-Request-Id': {
    description: "the client's own id where it was sane, else a new one",
    schema: { type: 'string' },
  },
};
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'makes it safe to repeat the request: its first success is stored and repeated for at least 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
