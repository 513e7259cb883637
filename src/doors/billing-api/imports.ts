import type { ImportEntry } from '../../billing/invoices/import-entries.ts';
import {
  type ImportedInvoice,
  importInvoices,
  importReferenceNumbers,
} from '../../billing/invoices/import-invoices.ts';
import { type Initiator, type Status, statuses } from '../../billing/invoices/invoice.ts';
import {
  type ImportedReference,
  isReferenceNumber,
  REFERENCE_NUMBER_RULE,
} from '../../billing/invoices/reference-numbers.ts';
import type { Parsed } from '../../operations/refusal.ts';
import { mapInTurns } from '../../platform/concurrency/event-loop-turns.ts';
import { normaliseValue, VERBATIM } from '../http/normalise-value.ts';
import { perform } from '../http/perform.ts';
import { Type } from '../http/schema-builder.ts';
import { readAmount, readInvoiceNumber, readTime } from './amounts.ts';
import { type BillingDependencies, type BillingEndpoint, endpoint, invalid } from './endpoint.ts';
import { isObject } from './prepare-body.ts';
import { renderImportedInvoices, renderImportedReferences } from './render-results.ts';
import { Answered, MAX_NAME_LENGTH } from './schemas.ts';

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
 * Both imports take an array. An unreadable entry is skipped and listed; an entry of another initiator refuses the whole array.
 */
const Entries = Type.Array(Type.Unknown(VERBATIM), { maxItems: MAX_ENTRIES });
const described = (entry: typeof OldInvoice | typeof OldReference) =>
  Type.Array(entry, { maxItems: MAX_ENTRIES });

/** An answer that lists the skipped entries by their number. */
const imported = (member: 'invoice_number' | 'reference_number') =>
  Answered({
    skipped: Type.Array(
      Type.Object(
        {
          entry: Type.Integer({ minimum: 0, description: 'which element of the array, counted from 0' }),
          [member]: Type.Union([Type.String(), Type.Number(), Type.Null()], {
            description: 'as it was given; null if it is neither text nor number',
          }),
          reason: Type.String(),
        },
        { additionalProperties: false },
      ),
    ),
  });

export function importEndpoints({ billing }: BillingDependencies): BillingEndpoint[] {
  const shared = {
    group: 'Imports',
    maxBodyBytes: MAX_IMPORT_BYTES,
    isBulk: true,
    isLongList: true,
  } as const;
  return [
    endpoint({
      ...shared,
      id: 'importInvoices',
      method: 'POST',
      path: '/import_data/invoice_data',
      summary: 'Take over old invoices; those that are known or cannot be read are left out',
      body: Entries,
      describedBody: described(OldInvoice),
      parse: (body, { caller }) => readEntries(body, caller, readOldInvoice),
      data: imported('invoice_number'),
      refusals: [],
      example: {
        body: [{ invoice_number: 131050, transaction_amount: '20.00', status: 'paid' }],
        data: { message: 'Added 1 invoices, skipped 0.', skipped: [] },
      },
      handle: async ({ input, context }) =>
        perform(context, { render: renderImportedInvoices }, (keyed) =>
          importInvoices(billing, keyed, input),
        ),
    }),

    endpoint({
      ...shared,
      id: 'importReferenceNumbers',
      method: 'POST',
      path: '/import_data/reference_data',
      summary: 'Take over old reference numbers; those that are known or cannot be read are left out',
      body: Entries,
      describedBody: described(OldReference),
      parse: (body, { caller }) => readEntries(body, caller, readOldReference),
      data: imported('reference_number'),
      refusals: [],
      example: {
        body: [{ reference_number: '7734230', registrar_name: 'mari' }],
        data: { message: 'Added 1 reference numbers, skipped 0.', skipped: [] },
      },
      handle: async ({ input, context }) =>
        perform(context, { render: renderImportedReferences }, (keyed) =>
          importReferenceNumbers(billing, keyed, input),
        ),
    }),
  ];
}

/** As many take a few milliseconds. */
const ENTRIES_PER_TURN = 500;

function readEntries<T>(
  body: readonly unknown[],
  caller: Initiator,
  read: (entry: Entry | undefined) => ImportEntry<T>,
): Parsed<ImportEntry<T>[]> | Promise<Parsed<ImportEntry<T>[]>> {
  let isOfOther = false;
  const readItem = (item: unknown) => {
    const entry = isObject(item) ? (normaliseValue(item, undefined) as Entry) : undefined;
    isOfOther ||= entry?.initiator !== undefined && entry.initiator !== caller;
    return read(entry);
  };
  const conclude = (value: ImportEntry<T>[]): Parsed<ImportEntry<T>[]> =>
    isOfOther ? { refusals: [invalid('initiator', 'is not the initiator of your token')] } : { value };
  return body.length <= ENTRIES_PER_TURN
    ? conclude(body.map(readItem))
    : mapInTurns(body, ENTRIES_PER_TURN, readItem).then(conclude);
}

/** Maximum length of an invalid number that is echoed. */
const MAX_SHOWN_NUMBER = 40;

const entryOf = <T>(given: unknown, read: ImportEntry<T>['read']): ImportEntry<T> => ({
  given:
    typeof given === 'string' ? given.slice(0, MAX_SHOWN_NUMBER) : typeof given === 'number' ? given : null,
  read,
});
const NO_OBJECT = { reason: 'is not an object' };

export function readOldInvoice(entry: Entry | undefined): ImportEntry<ImportedInvoice> {
  if (entry === undefined) return entryOf(null, NO_OBJECT);
  const { invoice_number: given } = entry;
  const number = readInvoiceNumber(given);
  const amount = readAmount(entry.transaction_amount);
  const status = readStatus(entry.status);
  if (number === undefined) return entryOf(given, { reason: 'invoice_number must be an invoice number' });
  if (!amount) return entryOf(given, { reason: 'transaction_amount must be an amount above zero' });
  if (!status) return entryOf(given, { reason: `status must be one of ${[ISSUED, ...statuses].join(', ')}` });
  return entryOf(given, {
    value: {
      number,
      amount,
      status,
      transactionTime: readTime(entry.transaction_time) ?? null,
      inAccounting: entry.in_directo === true || entry.in_directo === 'true',
      eInvoiceSentAt: readTime(entry.e_invoice_sent_at) ?? null,
    },
  });
}

const readStatus = (value: unknown): Status | undefined =>
  value === ISSUED ? 'unpaid' : statuses.find((status) => status === value);

export function readOldReference(entry: Entry | undefined): ImportEntry<ImportedReference> {
  if (entry === undefined) return entryOf(null, NO_OBJECT);
  const { reference_number: given, registrar_name: owner = null } = entry;
  const number = String(given ?? '');
  if (!isReferenceNumber(number))
    return entryOf(given, { reason: `reference_number must be ${REFERENCE_NUMBER_RULE}` });
  if (owner !== null && (typeof owner !== 'string' || owner.length > MAX_NAME_LENGTH))
    return entryOf(given, {
      reason: `registrar_name must be a string of at most ${MAX_NAME_LENGTH} characters`,
    });
  return entryOf(given, { value: { number, owner } });
}
