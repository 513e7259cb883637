import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import { enqueueDeliveries } from '../../deliveries/outbox.ts';
import { serviceNames } from '../../deliveries/service.ts';

export const E_INVOICE_NEWS = 'e_invoice_response';

/** Tells the service whose invoice it is that the operator has taken it. The registry needs no telling. */
export async function eInvoiceNews(db: Sql, number: number, now: Date): Promise<void> {
  const owner = await db.one(
    sql<{ initiator: string }>`select initiator from invoices where number = ${number}`,
  );
  const service = serviceNames.find((name) => name === owner.initiator);
  if (!service) return;
  const id = randomUUID();
  const body = {
    id,
    kind: E_INVOICE_NEWS,
    initiator: service,
    invoice_number: number,
    date: now.toISOString(),
  };
  const news = { id, target: `service:${service}`, kind: E_INVOICE_NEWS, invoiceNumber: number } as const;
  await enqueueDeliveries(db, [{ ...news, body: JSON.stringify(body) }], now);
}
