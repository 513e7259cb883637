import type { Sql } from '../../platform/sql/executor.ts';
import { sql, text } from '../../platform/sql/statement.ts';
import type { Status } from './invoice.ts';

export type UnpaidInvoices = {
  readonly unpaid: number;
  /** Their payment failed; another one can be tried. */
  readonly failed: number;
  readonly overdue: number;
};

/** Only the newest are looked at: older ones were paid or cancelled long ago. */
const MAX_LOOKED_AT = 1_000;

/** How many of a registrar's newest invoices wait for payment. */
export function countUnpaid(db: Sql, registrarId: number): Promise<UnpaidInvoices> {
  return db.one(sql<UnpaidInvoices>`
    select count(*) filter (where i.status = 'unpaid') as unpaid, count(*) filter (where i.status = 'failed') as failed, count(*) filter (where i.status = 'overdue') as overdue
    from (select status from invoices where registrar_id = ${registrarId} order by number desc ${text(`limit ${MAX_LOOKED_AT}`)}) as i`);
}

export type OpenInvoice = {
  readonly number: number;
  readonly status: Status;
  /** Cents as text. */
  readonly amount: string;
  readonly currency: string;
  readonly dueDate: string;
};

/** Those of them that are due first. */
export const listUnpaid = (db: Sql, registrarId: number, most: number): Promise<OpenInvoice[]> =>
  db.rows(sql<OpenInvoice>`
    select i.number, i.status, i.amount::text as amount, i.currency, i.due_date::text as "dueDate"
    from (select * from invoices where registrar_id = ${registrarId} order by number desc ${text(`limit ${MAX_LOOKED_AT}`)}) as i
    where i.status in ('unpaid', 'failed', 'overdue') order by i.due_date, i.number limit ${most}`);
