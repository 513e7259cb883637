import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { textOfDay } from '../../platform/values/dates.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Initiator, InvoiceKind, Status } from '../invoices/invoice.ts';
import { divide } from '../invoices/vat.ts';
import { type Buyer, buyerFrom } from './buyer.ts';

/** All data of an invoice that an exported document contains. Days are yyyy-mm-dd in the country's zone. */
export type InvoiceDocument = {
  readonly number: number;
  readonly initiator: Initiator;
  readonly kind: InvoiceKind;
  readonly status: Status;
  readonly currency: string;
  readonly net: Cents;
  readonly vat: Cents;
  readonly amount: Cents;
  /** "24" or "13.5". */
  readonly vatPercent: string;
  readonly issuedOn: string;
  readonly dueDate: string;
  readonly paidOn: string | null;
  readonly referenceNumber: string | null;
  readonly lines: readonly DocumentLine[];
  readonly buyer: Buyer;
};

/** The net amount is that of the whole line. */
export type DocumentLine = { readonly description: string; readonly quantity: number; readonly net: Cents };

type Row = Omit<InvoiceDocument, 'net' | 'vat' | 'amount' | 'issuedOn' | 'paidOn' | 'lines' | 'buyer'> & {
  readonly net: string;
  readonly vat: string;
  readonly amount: string;
  readonly issuedAt: Date;
  readonly paidAt: Date | null;
  readonly lines: readonly {
    readonly description: string;
    readonly quantity: number;
    readonly net: string;
  }[];
  readonly registered: Partial<Buyer>;
  /** Buyer details given by an earlier request. */
  readonly earlier: Partial<Buyer>;
};

/** By ascending number; missing invoices are left out. `given` are buyer details of the current request. */
export async function loadDocuments(
  db: Sql,
  numbers: readonly number[],
  { timeZone }: Policy,
  given: ReadonlyMap<number, Partial<Buyer>> = new Map(),
): Promise<InvoiceDocument[]> {
  const rows = await db.rows(sql<Row>`
    select i.number, i.initiator, i.kind, i.status, i.currency, i.net::text as net, i.vat::text as vat, i.amount::text as amount,
      trim_scale(i.vat_percent)::text as "vatPercent", i.issued_at as "issuedAt", i.due_date::text as "dueDate", i.paid_at as "paidAt",
      i.reference_number as "referenceNumber",
      (select coalesce(json_agg(json_build_object('description', l.description, 'quantity', l.quantity, 'net', l.net::text) order by l.position), '[]')
        from invoice_lines l where l.invoice_number = i.number) as lines,
      ${registered()} as registered,
      coalesce((select e.details -> 'buyer' from invoice_exports e where e.invoice_number = i.number and e.details ? 'buyer' order by e.id desc limit 1), '{}') as earlier
    from invoices i where i.number = any(${[...numbers]}::bigint[]) order by i.number`);
  return rows.map(({ registered: known, earlier, issuedAt, paidAt, ...row }) => ({
    ...row,
    net: BigInt(row.net),
    vat: BigInt(row.vat),
    amount: BigInt(row.amount),
    issuedOn: textOfDay(timeZone, issuedAt),
    paidOn: paidAt && textOfDay(timeZone, paidAt),
    lines: row.lines.map((line) => ({ ...line, net: BigInt(line.net) })),
    buyer: buyerFrom(given.get(row.number) ?? {}, earlier, known),
  }));
}

/** Buyer details from the invoice itself and from the registrar's record. */
const registered = (): Fragment => sql`
  (select json_build_object('name', i.buyer_name, 'email', i.buyer_email, 'customerCode', coalesce(d.customer_code, r.code),
      'country', d.country, 'registryCode', d.registry_code, 'vatNumber', d.vat_number, 'street', d.street, 'city', d.city, 'postalCode', d.postal_code)
    from (values (1)) as one(row) left join registrars r on r.id = i.registrar_id
    left join registrar_invoice_details d on d.registrar_id = r.id)`;

export type PricedLine = {
  readonly description: string;
  readonly quantity: number;
  /** Unit price before tax. */
  readonly price: Cents;
  readonly net: Cents;
  readonly vat: Cents;
};

/**
 * The lines with unit price and VAT in whole cents, adding up exactly. A line whose unit price is no whole number of
 * cents becomes one unit. Each line gets the VAT of the sum up to it less that of the lines before, so that the rounding
 * is spread over the lines: the VAT of equal lines differs by a cent at most.
 */
export function pricedLines({
  lines,
  net,
  vat,
}: Pick<InvoiceDocument, 'lines' | 'net' | 'vat'>): PricedLine[] {
  let sum = 0n;
  let taxed = 0n;
  return lines.map((line, index) => {
    sum += line.net;
    const until = index === lines.length - 1 ? vat : net === 0n ? 0n : divide(vat * sum, net);
    const part = until - taxed;
    taxed = until;
    return { ...pieces(line), net: line.net, vat: part };
  });
}

function pieces({ description, quantity, net }: DocumentLine): Omit<PricedLine, 'net' | 'vat'> {
  const count = BigInt(quantity);
  return net % count === 0n
    ? { quantity, price: net / count, description }
    : { quantity: 1, price: net, description: `${description} (${quantity} ×)` };
}
