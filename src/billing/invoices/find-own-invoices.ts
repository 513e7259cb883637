import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql, text } from '../../platform/sql/statement.ts';
import type { Status } from './invoice.ts';

/** Absent filters match everything. */
export type OwnInvoiceFilter = {
  readonly status?: Status | undefined;
  /** Issued at or after `from`, and before `before`. */
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
};
export type OwnInvoiceQuery = {
  readonly filter: OwnInvoiceFilter;
  /** Only invoices of lower numbers. */
  readonly after?: number | undefined;
};

/** Amounts are cents as text. */
export type OwnInvoice = {
  readonly number: number;
  readonly status: Status;
  readonly net: string;
  readonly vat: string;
  readonly amount: string;
  readonly currency: string;
  readonly issuedAt: Date;
  readonly dueDate: string;
  readonly paidAt: Date | null;
};

export type FoundInvoices = {
  readonly rows: readonly OwnInvoice[];
  /** The last number that was looked at, where more may follow. */
  readonly next: number | undefined;
  /** The bound was reached before the page was full. */
  readonly isCut: boolean;
};

/** Invoices read for one page, however rare a match is. */
const MAX_READ = 10_000;
const BEYOND_ALL = Number.MAX_SAFE_INTEGER;

/** One page of a registrar's invoices, newest first. */
export async function findOwnInvoices(
  db: Sql,
  registrarId: number,
  query: OwnInvoiceQuery,
  size: number,
): Promise<FoundInvoices> {
  const found = await db.rows(sql<OwnInvoice>`
    select i.number, i.status, i.net::text as net, i.vat::text as vat, i.amount::text as amount, i.currency, i.issued_at as "issuedAt",
      i.due_date::text as "dueDate", i.paid_at as "paidAt"
    from ${newestInvoices(registrarId, query)} as i where ${matches(query)} order by i.number desc ${text(`limit ${size + 1}`)}`);
  const rows = found.slice(0, size);
  if (found.length > size) return { rows, next: rows.at(-1)?.number, isCut: false };
  const end = await db.maybe(sql<{ number: number }>`
    select i.number from invoices i where ${inOrder(registrarId, query)} order by i.number desc ${text(`limit 1 offset ${MAX_READ - 1}`)}`);
  return { rows, next: end?.number, isCut: end !== undefined };
}

/** How many match, among the newest. */
export const countOwnInvoices = (
  db: Sql,
  registrarId: number,
  query: OwnInvoiceQuery,
): Promise<{ readonly count: number; readonly isCut: boolean }> =>
  db.one(sql<{ count: number; isCut: boolean }>`
    select count(*) filter (where ${matches(query)}) as count, count(*) = ${MAX_READ}::bigint as "isCut" from ${newestInvoices(registrarId, query)} as i`);

const newestInvoices = (registrarId: number, query: OwnInvoiceQuery): Fragment => sql`(
  select * from invoices i where ${inOrder(registrarId, query)} order by i.number desc ${text(`limit ${MAX_READ}`)})`;

const inOrder = (registrarId: number, { after = BEYOND_ALL }: OwnInvoiceQuery): Fragment =>
  sql`i.registrar_id = ${registrarId} and i.number < ${after}`;

/** Always the same text: each combination would be a statement to prepare. */
function matches({ filter }: OwnInvoiceQuery): Fragment {
  const [status, from, before] = [filter.status ?? null, filter.from ?? null, filter.before ?? null];
  return sql`(${status}::text is null or i.status = ${status}::text)
    and (${from}::timestamptz is null or i.issued_at >= ${from}::timestamptz)
    and (${before}::timestamptz is null or i.issued_at < ${before}::timestamptz)`;
}
