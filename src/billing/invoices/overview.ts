import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Initiator } from '../initiators.ts';
import type { InvoiceKind, Status } from './invoice.ts';

/** Which invoices somebody wants to see; what is left out does not matter. */
export type InvoiceFilter = {
  /** The code of a registrar, for his top-ups. */
  readonly registrar?: string | undefined;
  readonly initiator?: Initiator | undefined;
  readonly status?: Status | undefined;
  /** Issued from then on, and before then. */
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

/** The newest first. */
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
