import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Initiator } from '../initiators.ts';
import type { Status } from './invoice.ts';
import { zoned } from './of-registrar.ts';

/** An invoice with everything that happened to it, as services and operators see it; amounts are cents as text. */
export type InvoiceView = {
  readonly number: number;
  readonly initiator: Initiator;
  readonly kind: string;
  readonly status: Status;
  readonly currency: string;
  readonly amount: string;
  readonly net: string;
  readonly vat: string;
  readonly vatPercent: string;
  readonly description: string;
  readonly customField: string | null;
  readonly buyerName: string | null;
  readonly buyerEmail: string | null;
  readonly referenceNumber: string | null;
  readonly registrarId: number | null;
  readonly issuedAt: Date;
  /** The same in the registry's zone. */
  readonly createdAt: string;
  readonly dueDate: string;
  readonly paidAt: Date | null;
  readonly held: boolean;
  readonly lines: readonly {
    readonly description: string;
    readonly quantity: number;
    readonly net: string;
  }[];
  readonly payments: readonly {
    readonly reference: string;
    readonly state: string | null;
    readonly standing: string | null;
    readonly booked: string;
    readonly link: string | null;
    readonly elsewhere: boolean;
  }[];
  readonly events: readonly {
    readonly reference: string;
    readonly name: string | null;
    readonly at: string;
  }[];
  /** Where it was sent as a document; the last word of each. */
  readonly exports: readonly {
    readonly target: string;
    readonly state: string;
    /** When it was asked for, and when it was answered. */
    readonly requestedAt: string;
    readonly answeredAt: string | null;
    readonly reason: string | null;
  }[];
  readonly changes: readonly {
    readonly id: string;
    readonly from: Status | null;
    readonly to: Status;
    readonly at: string;
  }[];
};

/** As times are written outside of the database; its own JSON would leave out what is zero behind the point. */
const inUtc = (column: Fragment): Fragment =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** One question brings all of it. */
export async function readInvoice(
  db: Sql,
  number: number,
  of: { readonly initiator?: Initiator; readonly registrarId?: number } = {},
): Promise<InvoiceView | undefined> {
  const row = await db.maybe(sql<InvoiceView>`
    select i.number, i.initiator, i.kind, i.status, i.currency, i.amount::text as amount, i.net::text as net, i.vat::text as vat, trim_scale(i.vat_percent)::text as "vatPercent",
      i.description, i.custom_field as "customField", i.buyer_name as "buyerName", i.buyer_email as "buyerEmail", i.reference_number as "referenceNumber",
      i.registrar_id as "registrarId", i.issued_at as "issuedAt", ${zoned()} as "createdAt", i.due_date::text as "dueDate", i.paid_at as "paidAt",
      exists (select from held_payments h where h.invoice_number = i.number and h.closed_at is null) as held,
      (select coalesce(json_agg(json_build_object('description', l.description, 'quantity', l.quantity, 'net', l.net::text) order by l.position), '[]')
        from invoice_lines l where l.invoice_number = i.number) as lines,
      (select coalesce(json_agg(json_build_object('reference', p.reference, 'state', p.state, 'standing', p.standing_amount::text, 'booked', p.booked::text,
          'link', p.link, 'elsewhere', p.elsewhere) order by p.created_at, p.reference), '[]')
        from payments p where p.reference in (select own.reference from payments own where own.invoice_number = i.number
          union select s.payment_reference from payment_shares s where s.invoice_number = i.number)) as payments,
      (select coalesce(json_agg(json_build_object('reference', e.payment_reference, 'name', e.event_name, 'at', ${inUtc(sql`e.at`)}) order by e.id), '[]')
        from payment_events e where e.payment_reference in (select own.reference from payments own where own.invoice_number = i.number
          union select s.payment_reference from payment_shares s where s.invoice_number = i.number)) as events,
      (select coalesce(json_agg(json_build_object('target', e.target, 'state', e.state, 'requestedAt', ${inUtc(sql`e.requested_at`)},
          'answeredAt', ${inUtc(sql`e.answered_at`)}, 'reason', e.reason) order by e.target), '[]')
        from (select distinct on (target) * from invoice_exports where invoice_number = i.number order by target, id desc) e) as exports,
      (select coalesce(json_agg(json_build_object('id', c.id, 'from', c.from_status, 'to', c.to_status, 'at', ${inUtc(sql`c.at`)}) order by c.place), '[]')
        from invoice_changes c where c.invoice_number = i.number) as changes
    from invoices i
    where i.number = ${number}
      ${of.initiator === undefined ? sql`` : sql`and i.initiator = ${of.initiator}`}
      ${of.registrarId === undefined ? sql`` : sql`and i.registrar_id = ${of.registrarId}`}`);
  return row;
}
