import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../../operations/run-operation.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import { textOfDay } from '../../../platform/values/dates.ts';
import { schemaViolations } from '../../../platform/values/xml.ts';
import type { Policy } from '../../../policy/policy.ts';
import { refuse } from '../../billing-refusals.ts';
import type { Billing, Caller } from '../../context.ts';
import { enqueueDeliveries } from '../../deliveries/document-deliveries.ts';
import { serviceNames } from '../../deliveries/service-sender.ts';
import type { InvoiceDocument } from '../invoice-documents.ts';
import {
  type Details,
  type ExportItem,
  type ExportMessage,
  type PackMessages,
  prepareExports,
  requestExports,
} from '../request-exports.ts';
import { eInvoiceXml } from './e-invoice-xml.ts';

const SCHEMA = new URL('../../../../schemas/e-invoice-1.2.xsd', import.meta.url);
const AT = ['invoice'] as const;
const FILE_ID_LENGTH = 20;

/** POST e_invoice: sends an invoice of the caller to the e-invoice operator. */
export function exportAsEInvoice(
  { database, policy }: Billing,
  caller: Caller,
  item: ExportItem,
): Promise<Outcome<readonly number[]>> {
  const { initiator, now } = caller;
  const request = {
    items: [item],
    initiator,
    actor: initiator,
    now,
    at: AT,
    target: 'einvoice' as const,
  };
  const exporting = inTransaction({
    prepare: () => prepareExports(database.lists, policy, request, packAsEInvoices(policy, now)),
    transact: (db, prepared) => requestExports(db, policy, request, prepared),
  });
  return runOperation(database, exporting, caller);
}

/** One message per invoice. */
export const packAsEInvoices =
  (policy: Policy, now: Date): PackMessages =>
  (documents, items) =>
    Promise.all(
      documents.map((document) => {
        const item = items.find(({ number }) => number === document.number);
        return packOne(document, item?.details ?? {}, policy, now);
      }),
    );

async function packOne(
  invoice: InvoiceDocument,
  options: Details,
  policy: Policy,
  now: Date,
): Promise<ExportMessage> {
  if (invoice.buyer.registryCode === null) refuse('buyerNumberMissing', { at: ['buyer', 'registryCode'] });
  if (invoice.buyer.name === null) refuse('buyerNameMissing', { at: ['buyer', 'name'] });
  const id = randomUUID();
  const fileId = id.replaceAll('-', '').slice(0, FILE_ID_LENGTH);
  const date = textOfDay(policy.timeZone, now);
  const body = await eInvoiceXml({ invoice, options, fileId, date }, policy);
  const complaint = await schemaViolations(body, SCHEMA);
  if (complaint !== undefined) refuse('unfitForEInvoice', { at: AT, complaint });
  const { number } = invoice;
  return {
    delivery: { id, target: 'einvoice', kind: 'invoice', invoiceNumber: number, body },
    numbers: [number],
  };
}

const E_INVOICE_MESSAGE_KIND = 'e_invoice_response';

/**
 * Notifies the issuing service that the operator accepted the invoice. The registry runs in this process and gets no
 * message.
 */
export async function notifyEInvoiceAccepted(db: Sql, number: number, now: Date): Promise<void> {
  const owner = await db.one(
    sql<{ initiator: string }>`select initiator from invoices where number = ${number}`,
  );
  const service = serviceNames.find((name) => name === owner.initiator);
  if (!service) return;
  const id = randomUUID();
  const body = {
    id,
    kind: E_INVOICE_MESSAGE_KIND,
    initiator: service,
    invoice_number: number,
    date: now.toISOString(),
  };
  const delivery = {
    id,
    target: `service:${service}`,
    kind: E_INVOICE_MESSAGE_KIND,
    invoiceNumber: number,
  } as const;
  await enqueueDeliveries(db, [{ ...delivery, body: JSON.stringify(body) }], now);
}
