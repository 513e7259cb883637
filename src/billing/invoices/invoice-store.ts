import { invoiceText } from '../../ledger/money-messages.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Initiator, Invoice, InvoiceKind, Status } from './invoice.ts';

export type NewInvoice = {
  readonly number: number;
  readonly initiator: Initiator;
  readonly kind: InvoiceKind;
  readonly status?: Status;
  readonly currency: string;
  readonly net: Cents;
  readonly vat: Cents;
  readonly vatPercent: number;
  readonly description: string;
  readonly customField?: string | null;
  readonly buyerName?: string | null;
  readonly buyerEmail?: string | null;
  readonly referenceNumber?: string | null;
  readonly registrarId?: number | null;
  readonly automatic?: boolean;
  /** Of the registrar's request that ordered it. */
  readonly idempotencyKey?: string | null | undefined;
  readonly deposit?:
    | { readonly domain: string; readonly user: string; readonly email: string | null }
    | undefined;
  readonly issuedAt: Date;
  readonly dueDate: string;
  readonly lines: readonly { readonly description: string; readonly quantity: number; readonly net: Cents }[];
  readonly actor: string;
};

type Row = Omit<Invoice, 'amount' | 'net'> & { readonly amount: string; readonly net: string };

const columns = (): Fragment => sql`
  number, initiator, kind, status, currency, amount::text as amount, net::text as net, description, custom_field as "customField",
  registrar_id as "registrarId", deposit_domain as "depositDomain", deposit_user as "depositUser", deposit_email as "depositEmail",
  paid_by as "paidBy"`;

const toInvoice = (row: Row): Invoice => ({ ...row, amount: BigInt(row.amount), net: BigInt(row.net) });

/**
 * Whether a payment of an invoice waits for an operator's decision; one that was made for several invoices together
 * holds each of them.
 */
export const isHeld = (number: Fragment): Fragment => sql`
  exists (select from held_payments h where h.closed_at is null and h.invoice_number in (
    select ${number} union all select b.bulk_number from bulk_items b where b.invoice_number = ${number}))`;

/** Those of the invoices whose payment is held, in ascending order. */
export async function heldAmong(db: Sql, numbers: readonly number[]): Promise<number[]> {
  const rows = await db.rows(sql<{ number: number }>`
    select n.number from unnest(${[...numbers]}::bigint[]) as n(number) where ${isHeld(sql`n.number`)} order by n.number`);
  return rows.map(({ number }) => number);
}

/** With the message to a registrar that it is for. False when the number is taken. */
export async function insertInvoice(db: Sql, invoice: NewInvoice): Promise<boolean> {
  const { number, initiator, kind, currency, net, vat, issuedAt, deposit, lines } = invoice;
  const status = invoice.status ?? 'unpaid';
  const text = invoiceText('invoice_issued', { number, currency, total: net + vat, due: invoice.dueDate });
  const rows = await db.rows(sql`
    with issued as (
      insert into invoices (number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, custom_field,
        buyer_name, buyer_email, reference_number, registrar_id, automatic, deposit_domain, deposit_user, deposit_email, issued_at, due_date)
      values (${number}, ${initiator}, ${kind}, ${status}, ${currency}, ${(net + vat).toString()}, ${net.toString()}, ${vat.toString()}, ${invoice.vatPercent},
        ${invoice.description}, ${invoice.customField ?? null}, ${invoice.buyerName ?? null}, ${invoice.buyerEmail ?? null}, ${invoice.referenceNumber ?? null},
        ${invoice.registrarId ?? null}, ${invoice.automatic ?? false}, ${deposit?.domain ?? null}, ${deposit?.user ?? null}, ${deposit?.email ?? null},
        ${issuedAt}, ${invoice.dueDate})
      on conflict (number) do nothing returning number),
    lines as (
      insert into invoice_lines (invoice_number, position, description, quantity, net)
      select issued.number, l.position, l.description, l.quantity, l.net from issued cross join unnest(${lines.map(({ description }) => description)}::text[],
        ${lines.map(({ quantity }) => quantity)}::int[], ${lines.map((line) => line.net.toString())}::bigint[]) with ordinality as l(description, quantity, net, position)),
    notified as (
      insert into poll_messages (registrar_id, type, text, created_at, invoice_number, amount, idempotency_key)
      select ${invoice.registrarId ?? null}::bigint, 'invoice_issued', ${text}, ${issuedAt}, issued.number, ${(net + vat).toString()}::bigint,
        ${invoice.idempotencyKey ?? null} from issued where ${invoice.registrarId ?? null}::bigint is not null)
    insert into invoice_changes (invoice_number, to_status, at, actor)
    select number, ${status}, ${issuedAt}, ${invoice.actor} from issued returning 1`);
  return rows.length === 1;
}

export async function findInvoice(
  db: Sql,
  number: number,
  initiator: Initiator,
): Promise<Invoice | undefined> {
  const row = await db.maybe(sql<Row>`
    select ${columns()} from invoices where number = ${number} and initiator = ${initiator}`);
  return row && toInvoice(row);
}

/** Locks in one order everywhere, against deadlocks; the returned rows are read under the lock. */
export async function lockInvoices(db: Sql, numbers: readonly number[]): Promise<Invoice[]> {
  const rows = await db.rows(sql<Row>`
    select ${columns()} from invoices where number = any(${[...numbers]}::bigint[]) order by number for update`);
  return rows.map(toInvoice);
}

export async function lockInvoice(db: Sql, number: number): Promise<Invoice | undefined> {
  const row = await db.maybe(sql<Row>`select ${columns()} from invoices where number = ${number} for update`);
  return row && toInvoice(row);
}

/** Undefined when there is no such invoice; the invoices that a bulk invoice pays are locked with it. */
export async function lockBill(
  db: Sql,
  number: number,
): Promise<{ readonly invoice: Invoice; readonly leaves: readonly Invoice[] } | undefined> {
  const items = await db.rows(sql<{ number: number }>`
    select invoice_number as number from bulk_items where bulk_number = ${number}`);
  const locked = await lockInvoices(db, [number, ...items.map((item) => item.number)]);
  const invoice = locked.find((each) => each.number === number);
  if (!invoice) return undefined;
  return { invoice, leaves: items.length === 0 ? [invoice] : locked.filter((each) => each !== invoice) };
}
