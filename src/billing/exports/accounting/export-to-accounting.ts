import { randomUUID } from 'node:crypto';
import { findStoredAnswer } from '../../../operations/stored-answers.ts';
import { inTransaction } from '../../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../../operations/run-operation.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Billing, Caller } from '../../context.ts';
import type { Delivery } from '../../deliveries/document-deliveries.ts';
import type { InvoiceDocument } from '../invoice-documents.ts';
import {
  documentsOf,
  type ExportMessage,
  type ExportRequest,
  type PackMessages,
  prepareExports,
  requestExports,
  requireExportable,
} from '../request-exports.ts';
import { accountingXml } from './directo.ts';
import { requireVatCodes } from './vat-codes.ts';

export type AccountingInput = {
  readonly items: ExportRequest['items'];
  /** Only renders the document: nothing is sent or stored. */
  readonly dry: boolean;
};

/** The message that would be sent, in a dry run. */
export type AccountingExport = { readonly xml?: string };

/** POST directo: sends the caller's invoices to the accounting service in one message. */
export async function exportToAccounting(
  { database, policy }: Billing,
  caller: Caller,
  { items, dry }: AccountingInput,
): Promise<Outcome<AccountingExport>> {
  const { initiator, now } = caller;
  if (dry) {
    // No answer is stored for a dry run, but a key used by a different request is still refused.
    await findStoredAnswer(database.reads, caller);
    const documents = await documentsOf(database.reads, policy, items);
    requireExportable(documents, { items, initiator, at: ['invoices'] });
    requireVatCodes(documents, policy);
    const xml = await accountingXml(documents, policy);
    return { answer: { xml }, replayed: false };
  }
  const target = 'accounting' as const;
  const request = { items, initiator, actor: initiator, now, at: ['invoices'] as const, target };
  const exporting = inTransaction({
    prepare: () => prepareExports(database.lists, policy, request, packForAccounting(policy)),
    transact: async (db, prepared): Promise<AccountingExport> => {
      await requestExports(db, policy, request, prepared);
      return {};
    },
  });
  return runOperation(database, exporting, caller);
}

/** One message per issuing service, since that service is notified of the answer. */
export const packForAccounting =
  (policy: Policy): PackMessages =>
  async (documents) => {
    requireVatCodes(documents, policy);
    const services = [...Map.groupBy(documents, ({ initiator }) => initiator).values()];
    return Promise.all(services.map((own) => packOne(policy, own)));
  };

async function packOne(policy: Policy, documents: readonly InvoiceDocument[]): Promise<ExportMessage> {
  const numbers = documents.map(({ number }) => number);
  const delivery: Delivery = {
    id: randomUUID(),
    target: 'accounting',
    kind: 'invoices',
    invoiceNumber: numbers.length === 1 ? (numbers[0] ?? null) : null,
    body: await accountingXml(documents, policy),
  };
  return { delivery, numbers };
}
