import { type OperatorContext, operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { packForAccounting } from './accounting/export-to-accounting.ts';
import { packAsEInvoices } from './einvoice/export-as-e-invoice.ts';
import type { ExportTarget } from './export-outcome.ts';
import {
  type Details,
  type ExportRequest,
  type PreparedExports,
  prepareExports,
  requestExports,
} from './request-exports.ts';

type InvoiceExport = { readonly target: ExportTarget; readonly numbers: readonly number[] };
type Prepared = { readonly request: ExportRequest; readonly exports: PreparedExports };

/**
 * Re-sends invoices of any service with the details last requested. Those pending or delivered are skipped. Answers the
 * ones enqueued.
 */
export const exportInvoices = operatorTransaction(
  {
    name: 'export invoices',
    right: 'money',
    refusals: [
      'invoiceMissing',
      'bulkInvoiceNamed',
      'invoiceCancelled',
      'buyerNumberMissing',
      'buyerNameMissing',
      'unfitForEInvoice',
      'otherVatDemanded',
    ],
  },
  {
    async prepare({ target, numbers }: InvoiceExport, context, db): Promise<Prepared> {
      const { actor, now, policy } = context;
      const items = await findItems(db, target, numbers);
      const request = { target, actor, now, items, initiator: undefined, at: ['invoices'] as const };
      const pack = target === 'accounting' ? packForAccounting(policy) : packAsEInvoices(policy, now);
      return { request, exports: await prepareExports(db, policy, request, pack) };
    },

    async transact(db, { target }, context, { request, exports }) {
      const sent = await requestExports(db, context.policy, request, exports);
      await recordExports(db, target, sent, context);
      return { target, sent };
    },
  },
);

async function findItems(db: Sql, target: ExportTarget, numbers: readonly number[]) {
  const previous = await db.rows(sql<{ number: number; details: Details }>`
    select distinct on (invoice_number) invoice_number as number, details from invoice_exports
    where invoice_number = any(${[...numbers]}::bigint[]) and target = ${target} order by invoice_number, id desc`);
  return numbers.map((number) => ({
    number,
    details: previous.find((one) => one.number === number)?.details ?? {},
  }));
}

async function recordExports(
  db: Sql,
  target: ExportTarget,
  sent: readonly number[],
  context: OperatorContext,
): Promise<void> {
  const entry = {
    objectKind: 'invoice',
    objectId: sql`s.number`,
    objectName: sql`s.number::text`,
    operation: 'export invoice',
    registrarId: null,
    after: { target },
  };
  const from = sql`from unnest(${[...sent]}::bigint[]) with ordinality as s(number, position) order by s.position`;
  await db.run(insertHistory(entry, context, from));
}
