import { GUIDE_OF_APIS } from '../guide-links.ts';
import type { DescribedEndpoint } from '../http/endpoint.ts';
import { IDEMPOTENCY_KEY } from '../http/openapi.ts';
import type { ApiDescription } from '../http/openapi-description.ts';
import { Type } from '../http/schema-builder.ts';
import { everyRefusal, type RefusalName, refusal } from './billing-api-refusals.ts';
import { BILLING_PREFIX } from './prefix.ts';
import { renderRefusals } from './render-refusals.ts';

const EVERY_CALL: readonly RefusalName[] = ['fault', 'maintenance', 'overload', 'databaseAway', 'clockWrong'];
const EVERY_CHANGE: readonly RefusalName[] = [
  'malformedJson',
  'otherFormat',
  'bodyTooLarge',
  'unprintableText',
  'keyReused',
];

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'The request is malformed',
  401: 'The token is not accepted',
  404: 'There is no such invoice or deposit',
  413: 'The body is too large',
  422: 'A field is wrong, or the request cannot be carried out',
  429: 'Too many callbacks; Retry-After tells how long to wait',
  500: 'A fault of ours',
  501: 'The range of invoice numbers is used up',
  502: 'The payment provider does not answer',
  503: 'Maintenance, overload, the database is away, or a clock is wrong',
};

const closed = { additionalProperties: false } as const;
const Failure = Type.Object({ error: Type.String() }, { ...closed, 'x-component': 'Failure' });
const FieldFailures = Type.Object(
  {
    error: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'texts by field; each continues the name of its field',
    }),
  },
  { ...closed, 'x-component': 'FieldFailures' },
);
const Declined = Type.Object(
  {
    error: Type.Object(
      { code: Type.Union([Type.String(), Type.Integer()]), message: Type.String() },
      { ...closed, description: 'in the words of the payment provider' },
    ),
  },
  { ...closed, 'x-component': 'PaymentDeclined' },
);
const Denied = Type.Object(
  { message: Type.String(), code: Type.Literal('403') },
  { ...closed, 'x-component': 'AccessDenied' },
);
const OutOfNumbers = Type.Object(
  { message: Type.String(), error: Type.String() },
  { ...closed, 'x-component': 'OutOfNumbers' },
);

function failureSchema(status: number) {
  if (status === 401) return Denied;
  if (status === 422) return Type.Union([FieldFailures, Declined]);
  return status === 501 ? OutOfNumbers : Failure;
}

const isOpen = (endpoint: DescribedEndpoint): boolean => 'isOpen' in endpoint;

/** The parts of the OpenAPI document that do not come from the endpoints. */
export const billingDescription: ApiDescription<RefusalName> = {
  prefix: BILLING_PREFIX,
  title: 'Cadastre billing API',
  guide: GUIDE_OF_APIS.billing,
  summary: 'Invoices, payments and documents for the services of the registry, and the callback of payments',
  description:
    'Every call but the callback needs a token. A caller sees and changes invoices of its own only. Every answer carries X-Request-Id.',
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'signed with HS256 and the key of the service, which the claim initiator names',
    },
  },
  groups: {
    Invoices: 'Numbers, invoices, links to pay them, and what became of them',
    Deposits: 'Deposits of the auction',
    'Reference numbers': 'By which a payer is known',
    Imports: 'What comes from older systems',
    'Documents for others': 'Accounting and e-invoices',
    Callback: 'What the payment provider calls',
  },
  pathParameters: { invoice_number: 'number of the invoice' },
  changeHeaders: [IDEMPOTENCY_KEY],
  catalogue: everyRefusal,
  everyCall: EVERY_CALL,
  commonRefusals: (endpoint) => [
    ...(isOpen(endpoint) ? [] : (['accessDenied'] as const)),
    ...(endpoint.mutates ? EVERY_CHANGE : []),
    ...(endpoint.hasBody ? (['invalidField'] as const) : []),
  ],
  exampleOf: (name) => ({ ...refusal(name, EXAMPLE_DETAILS), ...(WHOLE_BODY.has(name) && { field: null }) }),
  renderRefusals,
  statusTexts: STATUS_TEXTS,
  failureSchema,
  isOpen,
};

/** Refusals that concern no single field. */
const WHOLE_BODY: ReadonlySet<RefusalName> = new Set(['malformedJson', 'otherFormat']);

/** Sample values for the placeholders in the texts of refusals. */
const EXAMPLE_DETAILS = {
  field: 'invoice_number',
  problem: 'is missing',
  expected: 'a list',
  most: 100,
  number: 150005,
  domain: 'oksjon.ee',
  user: '0f2a',
  amount: '20.00',
  status: 'paid',
  wanted: 'unpaid',
  text: 'x',
  numbers: '150007',
  total: '41.00',
  complaint: 'the name is too long',
  providerCode: 4024,
  message: 'The account is closed',
  requestId: '7c9e6679-7425',
  seconds: 12,
  code: 'ALPHA',
  currency: 'EUR',
  id: 1,
  invoiced: '20.00',
  received: '21.00',
  possible: 'refund',
  reference: 'db98561e',
  reason: 'It is booked',
  mebibytes: 1,
  country: 'EE',
  vatPercent: '24',
  demanded: '4',
};
