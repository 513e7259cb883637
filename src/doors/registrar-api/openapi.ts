import type { TSchema } from 'typebox';
import type { Policy } from '../../policy/policy.ts';
import { GUIDE_OF_APIS, guideOfRefusal } from '../guide-links.ts';
import type { DescribedEndpoint } from '../http/endpoint.ts';
import { fieldsOfCall } from '../http/call-fields.ts';
import { pascalCase } from '../http/name-cases.ts';
import { IDEMPOTENCY_KEY } from '../http/openapi.ts';
import type { ApiDescription } from '../http/openapi-description.ts';
import { Type } from '../http/schema-builder.ts';
import { callEvents } from './call-events.ts';
import { SUCCESS, SUCCESS_TEXT } from './envelope.ts';
import { describedEvents } from './event-schemas.ts';
import { PREFIX } from './prefix.ts';
import { refusalExamples } from './refusal-examples.ts';
import { catalogue, type RefusalName } from './registrar-api-refusals.ts';
import { renderRefusals } from './render-refusals.ts';
import { MONEY } from './schemas.ts';

/** Refusals common to all calls. */
const EVERY_CALL: readonly RefusalName[] = [
  'malformedRequest',
  'unknownField',
  'badCredentials',
  'otherFormat',
  'unreadableMediaType',
  'teapot',
  'tooManyRequests',
  'tooManyFailures',
  'fault',
  'maintenance',
  'overload',
  'databaseAway',
  'clockWrong',
];
const EVERY_BODY: readonly RefusalName[] = ['malformedJson', 'bodyTooLarge', 'tooManyValues'];
const EVERY_CHANGE: readonly RefusalName[] = [...EVERY_BODY, 'keyReused'];

/** Refusals that are not specific to a call: of its form, of rights, of limits. */
export const COMMON_REFUSALS: readonly RefusalName[] = [
  ...EVERY_CALL,
  ...EVERY_CHANGE,
  'notAllowed',
  'wrongSyntax',
  'unprintableText',
  'fieldMissing',
];

const GROUPS: Readonly<Record<string, string>> = {
  Billing: "The registrar's account, and the invoices that fill it",
  'Poll messages': 'What the registry has to tell the registrar',
  'Event feed': 'What happened, in order, for those who go on from where they were',
  Webhooks: 'Addresses of the registrar that events are posted to',
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
  webhook_id: 'id of the endpoint',
  event_id: 'id of the event, as the header webhook-id has it',
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

const refusedAmount = (description: string) => Type.Optional(Type.String({ ...MONEY, description }));

const Failure = Type.Object(
  {
    code: Type.Integer({ minimum: 2000, maximum: 2599 }),
    message: Type.String(),
    data: Type.Object({}, { additionalProperties: false }),
  },
  {
    description:
      'every refusal but those of 401, 500 and 503 adds errors, of which code and message repeat the first',
    'x-component': 'Failure',
  },
);
const FailureEntry = Type.Object(
  {
    code: Type.Integer(),
    message: Type.String(),
    field: Type.Union([Type.String(), Type.Null()]),
    reason: Type.String({
      description: `name of the refusal, the same in every release; explained by the server at ${guideOfRefusal('<name>')}`,
    }),
    price: refusedAmount('with otherPrice and noFunds: what would be charged; of a bulk renewal the total'),
    balance: refusedAmount('with noFunds: the balance'),
    missing: refusedAmount('with noFunds: what must be credited first, a debt included'),
  },
  { additionalProperties: false, 'x-component': 'FailureEntry' },
);
/** Statuses whose answers name no refusals. */
const UNNAMED: ReadonlySet<number> = new Set([401, 500, 503]);

/** An answer that names its refusals: for each call the generators of clients make a union of the names. */
function failureSchema(
  status: number,
  { call, refusals }: { readonly call: string | undefined; readonly refusals: readonly RefusalName[] },
): TSchema {
  if (UNNAMED.has(status)) return Failure;
  const named = call === undefined ? {} : { 'x-component': `${pascalCase(call)}Refusal` };
  const reason = Type.Unsafe<RefusalName>({ type: 'string', enum: refusals, ...named });
  const entry = { allOf: [FailureEntry, Type.Object({ reason })] };
  const errors = { type: 'array', minItems: 1, items: entry };
  return Type.Unsafe({
    allOf: [Failure, { type: 'object', properties: { errors }, required: ['errors'] }],
    unevaluatedProperties: false,
    ...(call !== undefined && { 'x-component': `${pascalCase(call)}Failure` }),
  });
}

const DRY_RUN = {
  name: 'Dry-Run',
  in: 'header',
  description: 'true runs every check, tells the price and changes nothing',
  schema: { type: 'string', enum: ['true', 'false'] },
};

function commonRefusals(endpoint: DescribedEndpoint): readonly RefusalName[] {
  const { mutates, hasBody } = endpoint;
  const { formed, bounded, text } = fieldsOfCall(endpoint);
  return [
    ...('right' in endpoint && endpoint.right === 'objects' ? (['notAllowed'] as const) : []),
    ...(mutates || formed ? (['wrongSyntax'] as const) : []),
    ...(bounded ? (['outOfRange'] as const) : []),
    ...(text === undefined ? [] : (['unprintableText'] as const)),
    ...(mutates ? EVERY_CHANGE : []),
    ...(hasBody ? ([...EVERY_BODY, 'fieldMissing'] as const) : []),
  ];
}

export const registrarDescription = (policy: Policy): ApiDescription<RefusalName> => ({
  prefix: PREFIX,
  title: 'Cadastre registrar API',
  guide: GUIDE_OF_APIS.registrar,
  summary: 'Domains, contacts, money and messages for accredited registrars',
  description: `Every answer is an envelope of code, message and data; code ${SUCCESS} is success. Every answer carries X-Request-Id.`,
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: 'username and password of an API user' },
  },
  groups: GROUPS,
  pathParameters: PATH_PARAMETERS,
  changeHeaders: [IDEMPOTENCY_KEY, DRY_RUN],
  catalogue,
  everyCall: EVERY_CALL,
  commonRefusals,
  exampleOf: refusalExamples(policy),
  renderRefusals,
  statusTexts: STATUS_TEXTS,
  failureSchema,
  successSchema: (data) => ({
    type: 'object',
    properties: { code: { const: SUCCESS }, message: { type: 'string' }, data },
    required: ['code', 'message', 'data'],
    additionalProperties: false,
  }),
  events: { group: 'Webhooks', list: describedEvents, ofCalls: callEvents },
  successExample: (data) => ({ code: SUCCESS, message: SUCCESS_TEXT, data }),
});
