import type { DescribedEndpoint } from '../http/endpoint.ts';
import { type ApiDescription, IDEMPOTENCY_KEY } from '../http/openapi.ts';
import { Type } from '../http/schema-builder.ts';
import { callEvents } from './call-events.ts';
import { SUCCESS, SUCCESS_TEXT } from './envelope.ts';
import { describedEvents } from './event-schemas.ts';
import { PREFIX } from './prefix.ts';
import { catalogue, type RefusalName, refusal } from './registrar-api-refusals.ts';
import { renderRefusals } from './render-refusals.ts';
import { MONEY } from './schemas.ts';

/** Refusals common to all calls. */
const EVERY_CALL: readonly RefusalName[] = [
  'unknownField',
  'wrongSyntax',
  'badCredentials',
  'otherFormat',
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

const GROUPS: Readonly<Record<string, string>> = {
  Billing: "The registrar's account, and the invoices that fill it",
  'Poll messages': 'What the registry has to tell the registrar',
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

/** Sample values for the placeholders in the texts of refusals. */
const EXAMPLE_DETAILS = {
  field: 'contact.phone',
  expected: 'a phone number such as +372.5555555',
  seconds: 12,
  requestId: '7c9e6679-7425',
  statuses: 'clientHold',
  status: 'serverUpdateProhibited',
  mebibytes: 1,
  object: 'mari',
  domains: 'example.ee and 7 more domains',
  contact: 'mari',
  reason: 'reserved',
  what: 'transfer code',
  role: 'tech',
  least: 2,
  most: 11,
  limit: '2037-11-15',
  price: '9.00',
  balance: '4.00',
  missing: '5.00',
  days: 90,
  day: '2026-11-16',
  name: 'example.ee',
};

const refusedAmount = (description: string) => Type.Optional(Type.String({ ...MONEY, description }));

const Failure = Type.Object(
  {
    code: Type.Integer({ minimum: 2000, maximum: 2599 }),
    message: Type.String(),
    data: Type.Object({}, { additionalProperties: false }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            code: Type.Integer(),
            message: Type.String(),
            field: Type.Union([Type.String(), Type.Null()]),
            reason: Type.String({ description: 'name of the refusal, the same in every release' }),
            price: refusedAmount(
              'with otherPrice and noFunds: what would be charged; of a bulk renewal the total',
            ),
            balance: refusedAmount('with noFunds: the balance'),
            missing: refusedAmount('with noFunds: what must be credited first, a debt included'),
          },
          { additionalProperties: false, 'x-component': 'FailureEntry' },
        ),
        { minItems: 1 },
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'code and message repeat the first of the errors, which every refusal but 401, 500 and 503 has',
    'x-component': 'Failure',
  },
);

const DRY_RUN = {
  name: 'Dry-Run',
  in: 'header',
  description: 'true runs every check, tells the price and changes nothing',
  schema: { type: 'string', enum: ['true', 'false'] },
};

function commonRefusals({ mutates, hasBody, ...endpoint }: DescribedEndpoint): readonly RefusalName[] {
  return [
    ...EVERY_CALL,
    ...('right' in endpoint && endpoint.right === 'objects' ? (['notAllowed'] as const) : []),
    ...(mutates ? EVERY_CHANGE : []),
    ...(hasBody ? ([...EVERY_BODY, 'fieldMissing'] as const) : []),
  ];
}

export const registrarDescription: ApiDescription<RefusalName> = {
  prefix: PREFIX,
  title: 'Cadastre registrar API',
  summary: 'Domains, contacts, money and messages for accredited registrars',
  description: `Every answer is an envelope of code, message and data; code ${SUCCESS} is success. Every answer carries X-Request-Id.`,
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: 'username and password of an API user' },
  },
  groups: GROUPS,
  pathParameters: PATH_PARAMETERS,
  changeHeaders: [IDEMPOTENCY_KEY, DRY_RUN],
  catalogue,
  commonRefusals,
  exampleOf: (name) => refusal(name, EXAMPLE_DETAILS),
  renderRefusals,
  statusTexts: STATUS_TEXTS,
  failureSchema: () => Failure,
  successSchema: (data) => ({
    type: 'object',
    properties: { code: { const: SUCCESS }, message: { type: 'string' }, data },
    required: ['code', 'message', 'data'],
    additionalProperties: false,
  }),
  events: { group: 'Webhooks', list: describedEvents, ofCalls: callEvents },
  successExample: (data) => ({ code: SUCCESS, message: SUCCESS_TEXT, data }),
};
