import { invoiceText, type MoneyMessageType } from '../../ledger/money-messages.ts';
import { type HistoryEntry, insertHistory } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { enqueueDeliveries } from '../deliveries/document-deliveries.ts';
import type { Invoice, Status } from './invoice.ts';
import { type InvoiceChange, invoiceMessages } from './invoice-messages.ts';

export type StatusChange = { readonly invoice: Invoice; readonly to: Status };
export type Cause = {
  readonly actor: string;
  readonly at: Date;
  readonly reason?: string | undefined;
  /** The payment that caused the change, with the details its service may need. */
  readonly payment?: InvoiceChange['payment'];
};

/** Writes status changes of locked invoices, with the messages to their registrars and to the services that issued them. */
export async function changeStatuses(db: Sql, changes: readonly StatusChange[], cause: Cause): Promise<void> {
  if (changes.length === 0) return;
  const { actor, at, reason, payment } = cause;
  const messages = changes.flatMap(messageOf);
  const rows = await db.rows(sql<{ id: string; number: number }>`
    with changed as (
      update invoices i set status = c.to_status,
        paid_by = case when c.to_status = 'paid' then ${payment?.reference ?? null} else i.paid_by end,
        paid_at = case when c.to_status = 'paid' then ${at} else i.paid_at end
      from unnest(${changes.map(({ invoice }) => invoice.number)}::bigint[], ${changes.map(({ to }) => to)}::text[]) as c(number, to_status)
      where i.number = c.number
      returning i.number, c.to_status, i.registrar_id, i.amount),
    notified as (
      insert into poll_messages (registrar_id, type, text, created_at, invoice_number, amount)
      select m.registrar_id, m.type, m.text, ${at}, m.number, m.amount from changed
      join unnest(${messages.map(({ number }) => number)}::bigint[], ${messages.map(({ registrarId }) => registrarId)}::bigint[],
        ${messages.map(({ type }) => type)}::text[], ${messages.map(({ text }) => text)}::text[], ${messages.map(({ amount }) => amount.toString())}::bigint[])
        as m(number, registrar_id, type, text, amount) on m.number = changed.number
      order by changed.number),
    failed as (${insertHistory(FAILED, { actor, now: at }, FROM_FAILED)}),
    before as (
      select number, status from unnest(${changes.map(({ invoice }) => invoice.number)}::bigint[], ${changes.map(({ invoice }) => invoice.status)}::text[]) as b(number, status))
    insert into invoice_changes (invoice_number, from_status, to_status, payment_reference, at, actor, reason)
    select changed.number, before.status, changed.to_status, ${payment?.reference ?? null}, ${at}, ${actor}, ${reason ?? null}
    from changed join before on before.number = changed.number order by changed.number
    returning id, invoice_number as number`);
  const deliveries = rows.flatMap(({ id, number }) => {
    const change = changes.find(({ invoice }) => invoice.number === number);
    return change ? invoiceMessages({ id, at, payment, ...change }) : [];
  });
  await enqueueDeliveries(db, deliveries, at);
}

/** Not a poll message, but an event; history has it for registrars only. */
const FAILED: HistoryEntry = {
  objectKind: 'invoice',
  objectId: sql`changed.number`,
  objectName: sql`changed.number::text`,
  operation: 'payment failed',
  sponsorId: sql`changed.registrar_id`,
  after: sql`jsonb_build_object('status', changed.to_status, 'amount', changed.amount)`,
};
const FROM_FAILED = sql`from changed where changed.to_status = 'failed' and changed.registrar_id is not null order by changed.number`;

/** An attempt that failed, or is tried again, is not reported: the payer has seen it. */
const TYPES = {
  paid: 'invoice_paid',
  overdue: 'invoice_overdue',
  cancelled: 'invoice_cancelled',
  refunded: 'invoice_refunded',
} as const satisfies Partial<Record<Status, MoneyMessageType>>;

function messageOf({ invoice, to }: StatusChange) {
  const { number, registrarId, currency, amount: total } = invoice;
  if (registrarId === null || to === 'unpaid' || to === 'failed') return [];
  const type = TYPES[to];
  const text = invoiceText(type, { number, total, currency });
  return [{ number, registrarId, amount: total, type, text }];
}
