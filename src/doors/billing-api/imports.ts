import type { Billing, Caller } from '../../billing/context.ts';
import {
  type ImportedInvoice,
  importInvoices,
  importReferenceNumbers,
} from '../../billing/invoices/import.ts';
import { type Status, statuses } from '../../billing/invoices/invoice.ts';
import { type ImportedReference, isReferenceNumber } from '../../billing/invoices/references.ts';
import { isObject, LONGEST_NAME, readAmount, readInvoiceNumber, readTime } from './fields.ts';
import { refuse } from './refusals.ts';
import type { BillingRoute } from './route.ts';

const BODY_LIMIT = 16 * 1024 * 1024;
const MOST_ENTRIES = 50_000;

type Entry = Readonly<Record<string, unknown>>;

/** Both imports take an array. An entry that cannot be read is left out; one of another initiator refuses all. */
export function importRoutes(billing: Billing): BillingRoute[] {
  return [
    {
      path: '/import_data/invoice_data',
      status: 200,
      bodyLimit: BODY_LIMIT,
      isBulk: true,
      handle: async (body, caller) =>
        importInvoices(billing, caller, entriesOf(body, caller).map(readInvoice)),
    },
    {
      path: '/import_data/reference_data',
      status: 200,
      bodyLimit: BODY_LIMIT,
      isBulk: true,
      handle: async (body, caller) =>
        importReferenceNumbers(billing, caller, entriesOf(body, caller).map(readReference)),
    },
  ];
}

function entriesOf(body: unknown, { initiator }: Caller): (Entry | undefined)[] {
  if (!Array.isArray(body)) return refuse('invalidField', { field: 'body', problem: 'must be an array' });
  if (body.length > MOST_ENTRIES)
    refuse('invalidField', { field: 'body', problem: `must have at most ${MOST_ENTRIES} entries` });
  const entries = body.map((entry: unknown) => (isObject(entry) ? entry : undefined));
  if (entries.some((entry) => entry?.initiator !== undefined && entry.initiator !== initiator))
    refuse('invalidField', { field: 'initiator', problem: 'is not the initiator of your token' });
  return entries;
}

function readInvoice(entry: Entry | undefined): ImportedInvoice | undefined {
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
  value === 'issued' ? 'unpaid' : statuses.find((status) => status === value);

function readReference(entry: Entry | undefined): ImportedReference | undefined {
  const number = String(entry?.reference_number ?? '');
  const owner = entry?.registrar_name;
  if (!isReferenceNumber(number)) return undefined;
  if (owner === undefined || owner === null) return { number, owner: null };
  return typeof owner === 'string' && owner.length <= LONGEST_NAME ? { number, owner } : undefined;
}
