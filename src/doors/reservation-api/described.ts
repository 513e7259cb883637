import Type, { type TSchema } from 'typebox';
import * as schemas from './schemas.ts';

/** A call as the document shows it. */
export type DescribedCall = {
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly schema: TSchema;
    readonly example?: unknown;
  }[];
  readonly body?: { readonly schema: TSchema; readonly example: object };
  readonly answer: { readonly type?: string; readonly schema: TSchema; readonly example?: unknown };
  /** By status, what this call refuses besides what every call does. */
  readonly refusals: Readonly<Partial<Record<400 | 404 | 422 | 502, readonly string[]>>>;
};

const id = 'kQ3x_9ZbTa';
const [name, other] = ['kohvikõnn.ee', 'kohvik-õnn.ee'];
const held = {
  name,
  password: '0c053d46916400f7560376f7c0404b91',
  expire_at: '2030-01-22T12:00:00.258+02:00',
};
const link = 'https://pay.example/lp?invoice_number=150005&hmac=b0980e0d';
const WRONG_NAMES = 'Invalid parameter: domain_names must be a non-empty array of valid domain names';
const NOT_TO_BE_HAD = ['The maximum number of domain names per request is 20', 'No available domains'];
const INVOICE_QUERY = [
  { name: 'invoice_number', in: 'query', schema: schemas.InvoiceNumber, example: 150005 },
  { name: 'user_unique_id', in: 'query', schema: schemas.UserUniqueId, example: id },
] as const;
const WRONG_QUERY = 'Invalid parameters: invoice_number and user_unique_id are required';
const NO_INVOICE = 'Reserved domain invoice not found';

export const calls: readonly DescribedCall[] = [
  {
    id: 'suggestNames',
    group: 'Names',
    summary: 'Names for an organisation that are free now',
    method: 'get',
    path: '/domain_names/{organization_name}',
    parameters: [
      {
        name: 'organization_name',
        in: 'path',
        schema: Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'letters, digits, whitespace and hyphens; legal forms are left out',
        }),
        example: 'Kohvik Õnn OÜ',
      },
    ],
    answer: { schema: schemas.Variants, example: { variants: [name, other] } },
    refusals: { 400: ['Invalid organization name'] },
  },
  {
    id: 'reserveNames',
    group: 'Free reservations',
    summary: 'Reserve names for seven days; those that cannot be had are left out',
    method: 'post',
    path: '/reserve_domains',
    body: { schema: schemas.NamesBody, example: { domain_names: [name] } },
    answer: {
      schema: schemas.Reserved,
      example: { message: 'Domains reserved successfully', reserved_domains: [held], user_unique_id: id },
    },
    refusals: { 400: [WRONG_NAMES], 422: NOT_TO_BE_HAD },
  },
  {
    id: 'readReservation',
    group: 'Free reservations',
    summary: 'What became of the names of a free reservation',
    method: 'get',
    path: '/reserve_domains/{user_unique_id}',
    parameters: [{ name: 'user_unique_id', in: 'path', schema: schemas.UserUniqueId, example: id }],
    answer: {
      schema: schemas.Entries,
      example: [
        { ...held, status: 'reserved' },
        { name: other, status: 'expired' },
      ],
    },
    refusals: { 404: ['Reserved domains not found. Invalid user_unique_id'] },
  },
  {
    id: 'orderReservation',
    group: 'Paid reservations',
    summary: 'An invoice for reserving names for a year; nothing is held until it is paid',
    method: 'post',
    path: '/long_reserve_domains',
    body: { schema: schemas.LongBody, example: { domain_names: [name] } },
    answer: {
      schema: schemas.Ordered,
      example: {
        message: 'Domains are in pending status. Need to pay for domains.',
        ...{ invoice_number: 150005, user_unique_id: id, available_domains: [name], linkpay_url: link },
      },
    },
    refusals: {
      400: [WRONG_NAMES, 'Invalid parameter: user_unique_id'],
      422: NOT_TO_BE_HAD,
      502: ['Billing service unavailable'],
    },
  },
  {
    id: 'readOrder',
    group: 'Paid reservations',
    summary: 'Whether the invoice is paid and, if so, the codes',
    method: 'get',
    path: '/long_reserve_domains_status',
    parameters: INVOICE_QUERY,
    answer: {
      schema: schemas.LongStatus,
      example: {
        ...{ status: 'paid', message: 'Domains are reserved' },
        reserved_domains: [{ ...held, status: 'reserved' }],
      },
    },
    refusals: { 400: [WRONG_QUERY], 404: [NO_INVOICE] },
  },
  {
    id: 'printInvoice',
    group: 'Paid reservations',
    summary: 'The paid invoice as a document',
    method: 'get',
    path: '/reserved_domains_invoice_pdf',
    parameters: [
      ...INVOICE_QUERY,
      {
        name: 'customer_name',
        in: 'query',
        schema: Type.Optional(Type.String({ maxLength: 255, description: 'who stands on it as the buyer' })),
      },
    ],
    answer: { type: 'application/pdf', schema: schemas.Pdf },
    refusals: {
      400: [WRONG_QUERY, 'Invalid parameter: customer_name'],
      404: [NO_INVOICE],
      422: ['Invoice is not paid'],
    },
  },
];
