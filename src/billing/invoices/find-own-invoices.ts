import {
  type FoundPage,
  type FoundPageWithTotal,
  findPage,
  findPageWithTotal,
  type KeysetSearch,
} from '../../platform/paging/keyset-search.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
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
  readonly after?: Position | undefined;
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

const SHOWN = sql<OwnInvoice>`
  o.number, o.status, o.net::text as net, o.vat::text as vat, o.amount::text as amount, o.currency, o.issued_at as "issuedAt",
  o.due_date::text as "dueDate", o.paid_at as "paidAt"`;
const COLUMNS = { number: { column: sql`o.number`, type: 'number' } } as const;

/** One page of a registrar's invoices, newest first; the first with the number of all that match. */
export const findOwnInvoices = (
  db: Sql,
  registrarId: number,
  query: OwnInvoiceQuery,
  size: number,
): Promise<FoundPageWithTotal<OwnInvoice>> =>
  findPageWithTotal(db, searchOf(registrarId, query), SHOWN, size);

/** The same without the number. */
export const exportOwnInvoices = (
  db: Sql,
  registrarId: number,
  query: OwnInvoiceQuery,
  size: number,
): Promise<FoundPage<OwnInvoice>> => findPage(db, searchOf(registrarId, query), SHOWN, size);

function searchOf(registrarId: number, { filter, after }: OwnInvoiceQuery): KeysetSearch<'number'> {
  return {
    table: sql`(select i.*, i.number as id from invoices i)`,
    registrarId,
    sort: '-number',
    columns: COLUMNS,
    after,
    range: sql`true`,
    entryColumns: sql`o.registrar_id`,
    entryTest: () => sql`true`,
    rowTest: Object.values(filter).some((value) => value !== undefined) ? matches(filter) : undefined,
    candidates: undefined,
  };
}

/** Always the same text: each combination would be a statement to prepare. */
function matches(filter: OwnInvoiceFilter): Fragment {
  const [status, from, before] = [filter.status ?? null, filter.from ?? null, filter.before ?? null];
  return sql`(${status}::text is null or o.status = ${status}::text)
    and (${from}::timestamptz is null or o.issued_at >= ${from}::timestamptz)
    and (${before}::timestamptz is null or o.issued_at < ${before}::timestamptz)`;
}
