import { isDeepStrictEqual } from 'node:util';
import { OutdatedPreparation } from '../../platform/database/database-errors.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { refuse } from '../billing-refusals.ts';
import { type Delivery, enqueueDeliveries } from '../deliveries/document-deliveries.ts';
import { retriedDeliveries } from '../deliveries/delivery-view.ts';
import type { Initiator, Invoice } from '../invoices/invoice.ts';
import { lockInvoices } from '../invoices/invoice-store.ts';
import type { Buyer } from './buyer.ts';
import type { EInvoiceOptions } from './einvoice/e-invoice-xml.ts';
import type { ExportTarget } from './export-outcome.ts';
import { type InvoiceDocument, loadDocuments } from './invoice-documents.ts';

/** Details that a request adds to an invoice's document; stored, so that the document can be made again. */
export type Details = { readonly buyer?: Partial<Buyer> } & EInvoiceOptions;
export type ExportItem = { readonly number: number; readonly details: Details };

export type ExportRequest = {
  readonly target: ExportTarget;
  readonly items: readonly ExportItem[];
  /** The service that must have issued them; undefined for an operator, who may export any invoice. */
  readonly initiator: Initiator | undefined;
  /** Where the command has them. */
  readonly at: readonly ['invoice' | 'invoices'];
  readonly actor: string;
  readonly now: Date;
};

/** A message and the invoices it contains. */
export type ExportMessage = { readonly delivery: Delivery; readonly numbers: readonly number[] };
/** Puts documents into messages, each with its requested details. */
export type PackMessages = (
  documents: readonly InvoiceDocument[],
  items: readonly ExportItem[],
) => Promise<readonly ExportMessage[]>;

/** Messages made before the transaction that enqueues them, and the data they were made from. */
export type PreparedExports = {
  readonly items: readonly ExportItem[];
  readonly documents: readonly InvoiceDocument[];
  readonly carriers: readonly ExportMessage[];
};

/**
 * Makes the messages for invoices that are neither pending nor delivered. Rendering is slow, so no transaction is open.
 */
export async function prepareExports(
  db: Sql,
  policy: Policy,
  { target, items, initiator, at }: ExportRequest,
  pack: PackMessages,
): Promise<PreparedExports> {
  requireExportable(await documentsOf(db, policy, items), { items, initiator, at });
  const existing = await findExisting(db, target, numbersOf(items));
  const unsent = notAmong(existing, items);
  const documents = unsent.length === 0 ? [] : await documentsOf(db, policy, unsent);
  return { items: unsent, documents, carriers: documents.length === 0 ? [] : await pack(documents, unsent) };
}

/**
 * Enqueues invoices for a service, inside the caller's transaction. Pending or delivered ones are not sent twice; a
 * message that was given up is retried. Returns the invoices newly enqueued.
 */
export async function requestExports(
  db: Sql,
  policy: Policy,
  request: ExportRequest,
  prepared: PreparedExports,
): Promise<readonly number[]> {
  const { target, items, now } = request;
  const numbers = numbersOf(items);
  requireExportable(await lockInvoices(db, numbers), request);
  const existing = await findExisting(db, target, numbers);
  const givenUp = existing.flatMap((one) => (one.givenUp && one.deliveryId !== null ? one.deliveryId : []));
  if (givenUp.length > 0) await db.run(retriedDeliveries(givenUp, now));
  const unsent = notAmong(existing, items);
  const documents = unsent.length === 0 ? [] : await documentsOf(db, policy, unsent);
  if (!isDeepStrictEqual(documents, prepared.documents))
    throw new OutdatedPreparation('an invoice or its export has changed since its document was made');
  if (unsent.length === 0) return [];
  const { carriers } = prepared;
  await enqueueDeliveries(
    db,
    carriers.map(({ delivery }) => delivery),
    now,
  );
  await insertExports(db, request, unsent, carriers);
  return numbersOf(unsent);
}

const numbersOf = (items: readonly ExportItem[]): number[] => items.map(({ number }) => number);

const notAmong = (existing: readonly ExistingExport[], items: readonly ExportItem[]): ExportItem[] =>
  items.filter(({ number }) => !existing.some(({ invoiceNumber }) => invoiceNumber === number));

export function documentsOf(
  db: Sql,
  policy: Policy,
  items: readonly ExportItem[],
): Promise<InvoiceDocument[]> {
  const buyers = new Map(items.map(({ number, details }) => [number, details.buyer ?? {}]));
  return loadDocuments(db, [...buyers.keys()], policy, buyers);
}

/** A bulk invoice only pays other invoices, which are exported themselves; a cancelled one is not owed. */
export function requireExportable(
  invoices: readonly Pick<Invoice, 'number' | 'initiator' | 'kind' | 'status'>[],
  { items, initiator, at }: Pick<ExportRequest, 'items' | 'initiator' | 'at'>,
): void {
  const own = invoices.filter((invoice) => initiator === undefined || invoice.initiator === initiator);
  const missing = items.filter(({ number }) => !own.some((invoice) => invoice.number === number));
  if (missing.length > 0)
    refuse('invoiceMissing', { number: missing.map(({ number }) => number).join(', ') });
  const bulk = own.find(({ kind }) => kind === 'bulk');
  if (bulk) refuse('bulkInvoiceNamed', { at, number: bulk.number });
  const cancelled = own.find(({ status }) => status === 'cancelled');
  if (cancelled) refuse('invoiceCancelled', { at, number: cancelled.number });
}

type ExistingExport = {
  readonly invoiceNumber: number;
  readonly deliveryId: string | null;
  readonly givenUp: boolean | null;
};

function findExisting(db: Sql, target: ExportTarget, numbers: readonly number[]): Promise<ExistingExport[]> {
  return db.rows(sql<ExistingExport>`
    select e.invoice_number as "invoiceNumber", e.delivery_id as "deliveryId", d.gave_up_at is not null as "givenUp"
    from invoice_exports e left join deliveries d on d.id = e.delivery_id
    where e.invoice_number = any(${[...numbers]}::bigint[]) and e.target = ${target} and e.state <> 'rejected'`);
}

async function insertExports(
  db: Sql,
  { target, actor, now }: ExportRequest,
  items: readonly ExportItem[],
  carriers: readonly ExportMessage[],
): Promise<void> {
  const carrierOf = (number: number) =>
    carriers.find(({ numbers }) => numbers.includes(number))?.delivery.id ?? null;
  await db.run(sql`
    insert into invoice_exports (invoice_number, target, state, details, delivery_id, requested_at, actor)
    select w.number, ${target}, 'waiting', w.details::jsonb, w.delivery, ${now}, ${actor}
    from unnest(${items.map(({ number }) => number)}::bigint[], ${items.map(({ details }) => JSON.stringify(details))}::text[],
      ${items.map(({ number }) => carrierOf(number))}::uuid[]) as w(number, details, delivery)`);
}
