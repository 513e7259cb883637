import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import { type Delivery, enqueueDeliveries } from '../../deliveries/document-deliveries.ts';
import { serviceNames } from '../../deliveries/service-sender.ts';
import type { ExportOutcome } from '../export-outcome.ts';

const ACCOUNTING_MESSAGE_KIND = 'directo_response';

/**
 * Notifies the issuing service of the accounting service's answer. The registry runs in this process and gets no
 * message.
 */
export async function notifyAccountingResult(
  db: Sql,
  { body: document, invoiceNumber }: Delivery,
  { outcomes, answer }: { readonly outcomes: readonly ExportOutcome[]; readonly answer: string },
  now: Date,
): Promise<void> {
  const [first] = outcomes;
  const owner = await db.maybe(sql<{ initiator: string }>`
    select initiator from invoices where number = ${first?.number ?? 0}`);
  const service = serviceNames.find((name) => name === owner?.initiator);
  if (!service) return;
  const id = randomUUID();
  const body = {
    id,
    kind: ACCOUNTING_MESSAGE_KIND,
    initiator: service,
    answered_at: now.toISOString(),
    results: outcomes.map((outcome) => ({
      invoice_number: outcome.number,
      exported: outcome.accepted,
      reason: outcome.accepted ? null : outcome.reason,
    })),
    response: answer,
    xml_data: document,
  };
  const delivery = {
    id,
    target: `service:${service}`,
    kind: ACCOUNTING_MESSAGE_KIND,
    invoiceNumber,
  } as const;
  await enqueueDeliveries(db, [{ ...delivery, body: JSON.stringify(body) }], now);
}
