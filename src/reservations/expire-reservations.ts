import { insertHistory } from '../operations/record-history.ts';
import type { Purge } from '../platform/jobs/run-purge.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { ReservationDependencies } from './dependencies.ts';
import { cancelIfNoNameAvailable } from './reserve-long-status.ts';

/** Expired reservations with their codes. They have no effect, deleted or not. */
export const reservationPurge: Purge = {
  step: 'delete reservations',
  table: sql`reserved_names where expires_at is not null`,
  due: (time) => sql`select from reserved_names where expires_at <= ${time}`,
  removeSome: (db, time) =>
    db.run(sql`
      with gone as (
        delete from reserved_names where name = any(array(
          select name from reserved_names where expires_at <= ${time} order by expires_at limit 1000 for update skip locked))
        returning name, expires_at)
      ${insertHistory(
        { objectKind: 'name', objectId: 0, objectName: sql`gone.name`, operation: 'expire' },
        { actor: 'registry', now: sql`gone.expires_at` },
        sql`from gone`,
      )}`),
};

/** When the next reservation expires; undefined if none does. */
export async function nextExpiry(db: Sql): Promise<Date | undefined> {
  const row = await db.maybe(sql<{ at: Date }>`
    select expires_at as at from reserved_names where expires_at is not null order by expires_at limit 1`);
  return row?.at;
}

type Unpaid = { readonly id: number; readonly invoiceNumber: number; readonly takenOverFrom: number | null };

/** Cancels invoices none of whose names is available any more, so that users cannot pay them even if the portal never queries the status. */
export async function cancelUnfulfillableInvoices(parts: ReservationDependencies): Promise<void> {
  const unpaid = await parts.database.lists.rows(sql<Unpaid>`
    select v.id, v.invoice_number as "invoiceNumber", v.taken_over_from as "takenOverFrom"
    from reservations v join invoices i on i.number = v.invoice_number
    where i.status in ('unpaid', 'failed', 'overdue') order by v.id`);
  for (const { invoiceNumber, ...reservation } of unpaid)
    await cancelIfNoNameAvailable(parts, invoiceNumber, reservation);
}
