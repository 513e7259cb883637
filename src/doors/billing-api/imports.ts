import Type from 'typebox';
import {
  type ImportedInvoice,
  importInvoices,
  importReferenceNumbers,
} from '../../billing/invoices/import-invoices.ts';
import { type Initiator, type Status, statuses } from '../../billing/invoices/invoice.ts';
import { type ImportedReference, isReferenceNumber } from '../../billing/invoices/reference-numbers.ts';
import type { Parsed } from '../../operations/refusal.ts';
import { readAmount, readInvoiceNumber, readTime } from './amounts.ts';
import { answerOf, type BillingDependencies, type BillingEndpoint, endpoint, invalid } from './endpoint.ts';
import { isObject } from './prepare-body.ts';
import { Done, MAX_NAME_LENGTH } from './schemas.ts';

const MAX_IMPORT_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 50_000;
const ISSUED = 'issued';

type Entry = Readonly<Record<string, unknown>>;

const orNumber = { type: ['string', 'number'] };
const OldInvoice = Type.Object(
  {
    invoice_number: Type.Unsafe<string | number>({ ...orNumber, description: 'its old number' }),
    initiator: Type.Optional(Type.String({ description: 'the initiator of the token' })),
    transaction_amount: Type.Unsafe<string | number>({ ...orNumber, description: 'with VAT' }),
    status: Type.Enum([ISSUED, ...statuses]),
    transaction_time: Type.Optional(Type.String({ description: 'when it was paid, ISO 8601' })),
    in_directo: Type.Optional(Type.Boolean({ description: 'whether accounting has it' })),
    e_invoice_sent_at: Type.Optional(Type.String({ description: 'ISO 8601' })),
  },
  { 'x-component': 'OldInvoice' },
);
const OldReference = Type.Object(
  {
    reference_number: Type.Unsafe<string | number>({ ...orNumber, description: 'with its check digit' }),
    initiator: Type.Optional(Type.String({ description: 'the initiator of the token' })),
    registrar_name: Type.Optional(Type.String({ maxLength: MAX_NAME_LENGTH, description: 'its owner' })),
  },
  { 'x-component': 'OldReferenceNumber' },
);

/**
 * Both imports take an array. An unreadable entry is skipped; an entry of another initiator refuses the whole array.
 */
const Entries = Type.Array(Type.Unknown(), { maxItems: MAX_ENTRIES });
const described = (entry: typeof OldInvoice | typeof OldReference) =>
  Type.Array(entry, { maxItems: MAX_ENTRIES });

export function importEndpoints({ billing }: BillingDependencies): BillingEndpoint[] {
  const shared = { group: 'Imports', maxBodyBytes: MAX_IMPORT_BYTES, isBulk: true } as const;
  return [
    endpoint({
      ...shared,
      id: 'importInvoices',
      method: 'POST',
      path: '/import_data/invoice_data',
      summary: 'Take over old invoices; those that are known or cannot be read are left out',
      body: Entries,
      describedBody: described(OldInvoice),
      parse: entriesOf,
      data: Done,
      refusals: [],
      example: {
        body: [{ invoice_number: 131050, transaction_amount: '20.00', status: 'paid' }],
        data: { message: 'Added 1 invoices, skipped 0.' },
      },
      handle: async ({ input, context }) =>
        answerOf(await importInvoices(billing, context, input.map(readOldInvoice))),
    }),

    endpoint({
      ...shared,
      id: 'importReferenceNumbers',
      method: 'POST',
      path: '/import_data/reference_data',
      summary: 'Take over old reference numbers; those that are known or cannot be read are left out',
      body: Entries,
      describedBody: described(OldReference),
      parse: entriesOf,
      data: Done,
      refusals: [],
      example: {
        body: [{ reference_number: '7734230', registrar_name: 'mari' }],
        data: { message: 'Added 1 reference numbers, skipped 0.' },
      },
      handle: async ({ input, context }) =>
        answerOf(await importReferenceNumbers(billing, context, input.map(readOldReference))),
    }),
  ];
}

function entriesOf(
  body: readonly unknown[],
  { caller }: { readonly caller: Initiator },
): Parsed<(Entry | undefined)[]> {
  const entries = body.map((entry) => (isObject(entry) ? entry : undefined));
  return entries.some((entry) => entry?.initiator !== undefined && entry.initiator !== caller)
    ? { refusals: [invalid('initiator', 'is not the initiator of your token')] }
    : { value: entries };
}

/** Undefined where it cannot be read. */
export function readOldInvoice(entry: Entry | undefined): ImportedInvoice | undefined {
  const number = readInvoiceNumber(entry?.invoice_number);
  const amount = readAmount(entry?.transaction_amount);
  const status = readStatus(entry?.status);
  if (number === undefined || !amount || !status) return undefined;
  return {
    ...{ number, amount, status, transactionTime: readTime(entry?.transaction_time) ?? null },
    inAccounting: entry?.in_directo === true || entry?.in_directo === 'true',
    eInvoiceSentAt: readTime(entry?.e_invoice_sent_at) ?? null,
  };
}

const readStatus = (value: unknown): Status | undefined =>
  value === ISSUED ? 'unpaid' : statuses.find((status) => status === value);

export function readOldReference(entry: Entry | undefined): ImportedReference | undefined {
  const number = String(entry?.reference_number ?? '');
  const owner = entry?.registrar_name;
  if (!isReferenceNumber(number)) return undefined;
  if (owner === undefined || owner === null) return { number, owner: null };
  return typeof owner === 'string' && owner.length <= MAX_NAME_LENGTH ? { number, owner } : undefined;
}
