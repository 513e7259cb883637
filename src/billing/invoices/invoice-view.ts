import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Initiator, InvoiceKind, Status } from './invoice.ts';
import { isHeld } from './invoice-store.ts';

/** An invoice with its whole history, as services and operators see it; amounts are cents as text. */
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
  /** Exports as a document; the last outcome of each target. */
  readonly exports: readonly {
    readonly target: string;
    readonly state: string;
    /** Times of the request and of the answer. */
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

/** The external format of times; PostgreSQL's JSON would drop trailing zeros of the fraction. */
const inUtc = (column: Fragment): Fragment =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Reads everything in one query. */
export async function readInvoice(
  db: Sql,
  number: number,
  of: { readonly initiator?: Initiator; readonly registrarId?: number } = {},
): Promise<InvoiceView | undefined> {
  const row = await db.maybe(sql<InvoiceView>`
    select i.number, i.initiator, i.kind, i.status, i.currency, i.amount::text as amount, i.net::text as net, i.vat::text as vat, trim_scale(i.vat_percent)::text as "vatPercent",
      i.description, i.custom_field as "customField", i.buyer_name as "buyerName", i.buyer_email as "buyerEmail", i.reference_number as "referenceNumber",
      i.registrar_id as "registrarId", i.issued_at as "issuedAt", ${zoned()} as "createdAt", i.due_date::text as "dueDate", i.paid_at as "paidAt",
      ${isHeld(sql`i.number`)} as held,
      (select coalesce(json_agg(json_build_object('description', l.description, 'quantity', l.quantity, 'net', l.net::text) order by l.position), '[]')
        from invoice_lines l where l.invoice_number = i.number) as lines,
      (select coalesce(json_agg(json_build_object('reference', p.reference, 'state', p.state, 'standing', p.standing_amount::text, 'booked', p.booked::text,
          'link', p.link, 'elsewhere', p.external) order by p.created_at, p.reference), '[]')
        from payments p where p.reference in (select own.reference from payments own where own.invoice_number = i.number
          union select s.payment_reference from payment_shares s where s.invoice_number = i.number)) as payments,
      (select coalesce(json_agg(json_build_object('reference', e.payment_reference, 'name', e.event_name, 'at', ${inUtc(sql`e.at`)}) order by e.id), '[]')
        from payment_events e where e.payment_reference in (select own.reference from payments own where own.invoice_number = i.number
          union select s.payment_reference from payment_shares s where s.invoice_number = i.number)) as events,
      (select coalesce(json_agg(json_build_object('target', e.target, 'state', e.state, 'requestedAt', ${inUtc(sql`e.requested_at`)},
          'answeredAt', ${inUtc(sql`e.answered_at`)}, 'reason', e.reason) order by e.target), '[]')
        from (select distinct on (target) * from invoice_exports where invoice_number = i.number order by target, id desc) e) as exports,
      (select coalesce(json_agg(json_build_object('id', c.id, 'from', c.from_status, 'to', c.to_status, 'at', ${inUtc(sql`c.at`)}) order by c.sequence_number), '[]')
        from invoice_changes c where c.invoice_number = i.number) as changes
    from invoices i
    where i.number = ${number}
      ${of.initiator === undefined ? sql`` : sql`and i.initiator = ${of.initiator}`}
      ${of.registrarId === undefined ? sql`` : sql`and i.registrar_id = ${of.registrarId}`}`);
  return row;
}

/** Filters of a list of invoices; undefined ones do not apply. */
export type InvoiceFilter = {
  /** The code of a registrar, for its top-ups. */
  readonly registrar?: string | undefined;
  readonly initiator?: Initiator | undefined;
  readonly status?: Status | undefined;
  /** Issued at or after `from`, and before `until`. */
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
};

export type ListedInvoice = {
  readonly number: number;
  readonly initiator: Initiator;
  readonly kind: InvoiceKind;
  readonly registrar: string | null;
  readonly buyer: string | null;
  readonly status: Status;
  /** In cents, with VAT. */
  readonly amount: string;
  readonly currency: string;
  readonly issuedAt: Date;
  readonly dueDate: string;
};

/** Newest first. */
export function listInvoices(
  db: Sql,
  { registrar, initiator, status, from, until }: InvoiceFilter,
  limit: number,
): Promise<ListedInvoice[]> {
  return db.rows(sql<ListedInvoice>`
    select i.number, i.initiator, i.kind, r.code as registrar, i.buyer_name as buyer, i.status, i.amount::text as amount, i.currency,
      i.issued_at as "issuedAt", i.due_date::text as "dueDate"
    from invoices i left join registrars r on r.id = i.registrar_id
    where true
      ${registrar === undefined ? sql`` : sql`and i.registrar_id = (select id from registrars where code = ${registrar})`}
      ${initiator === undefined ? sql`` : sql`and i.initiator = ${initiator}`}
      ${status === undefined ? sql`` : sql`and i.status = ${status}`}
      ${from === undefined ? sql`` : sql`and i.issued_at >= ${from}`}
      ${until === undefined ? sql`` : sql`and i.issued_at < ${until}`}
    order by i.number desc limit ${limit}`);
}

export type RegistrarInvoice = {
  readonly number: number;
  readonly status: Status;
  readonly net: string;
  readonly vat: string;
  readonly amount: string;
  readonly dueDate: string;
  /** In the registry's zone. */
  readonly createdAt: string;
};

/** The time of issue in the format of the API. */
const zoned = (): Fragment => sql`to_char(issued_at, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')`;

const BEYOND_ALL = Number.MAX_SAFE_INTEGER;

/** A page of a registrar's invoices below a number, newest first, with the total and whether more follow. */
export async function listOfRegistrar(
  db: Sql,
  registrarId: number,
  {
    limit,
    offset,
    before,
  }: { readonly limit: number; readonly offset: number; readonly before?: number | undefined },
): Promise<{
  readonly count: number;
  readonly invoices: readonly RegistrarInvoice[];
  readonly more: boolean;
}> {
  const counted = await db.one(sql<{ count: number }>`
    select count(*)::int as count from invoices where registrar_id = ${registrarId}`);
  const invoices = await db.rows(sql<RegistrarInvoice>`
    with page as (
      select number from invoices where registrar_id = ${registrarId} and number < ${before ?? BEYOND_ALL} order by number desc limit ${limit + 1} offset ${offset})
    select i.number, status, net::text as net, vat::text as vat, amount::text as amount, due_date::text as "dueDate", ${zoned()} as "createdAt"
    from page cross join lateral (select * from invoices where number = page.number offset 0) as i order by i.number desc`);
  return { count: counted.count, invoices: invoices.slice(0, limit), more: invoices.length > limit };
}
