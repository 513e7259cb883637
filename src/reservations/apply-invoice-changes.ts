import type { StatusChange } from '../billing/invoices/change-statuses.ts';
import { orderRefunds } from '../billing/payments/refunds.ts';
import { insertHistory } from '../operations/record-history.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';
import { moveBy } from '../platform/values/dates.ts';
import type { Policy } from '../policy/policy.ts';
import { findNameStates, whyUnavailable } from '../registry/names/availability.ts';
import { registrationCode } from './reservation.ts';

type Cause = { readonly at: Date; readonly paymentReference: string };
type Reservation = {
  readonly id: number;
  readonly invoiceNumber: number;
  readonly takenOverFrom: number | null;
};

/** Called by billing in the transaction that changes invoices. */
export const applyInvoiceChanges =
  (policy: Policy) =>
  async (db: Sql, changes: readonly StatusChange[], cause: Cause): Promise<void> => {
    const ours = changes.filter(({ invoice }) => invoice.initiator === 'business_registry');
    for (const { invoice, to } of ours) {
      if (to === 'paid') await grant(db, policy, invoice.number, cause);
      if (to === 'refunded') await release(db, invoice.number, cause.at);
    }
  };

/** Grants the names of a paid invoice that are still available, exactly once; the share of the others is refunded. */
async function grant(
  db: Sql,
  policy: Policy,
  invoiceNumber: number,
  { at, paymentReference }: Cause,
): Promise<void> {
  const reservation = await db.maybe(sql<Reservation>`
    update reservations set granted_at = ${at} where invoice_number = ${invoiceNumber} and granted_at is null
    returning id, invoice_number as "invoiceNumber", taken_over_from as "takenOverFrom"`);
  if (!reservation) return;
  const names = await db.rows(sql<{ name: string }>`
    select name from reservation_names where reservation_id = ${reservation.id} order by name`);
  const states = await findNameStates(
    db,
    names.map(({ name }) => name),
    at,
  );
  const own = await heldByReservation(db, reservation.takenOverFrom, at);
  const lost = states.filter((state) => {
    const unavailability = whyUnavailable(state);
    return unavailability !== undefined && !(unavailability === 'reserved' && own.has(state.name));
  });
  const granted = states.filter((state) => !lost.includes(state)).map(({ name }) => name);
  const expiresAt = moveBy(at, `P${policy.reservations.paidYears}Y`, policy.timeZone) ?? at;
  await insertReserved(db, reservation, granted, expiresAt, at);
  if (lost.length === 0) return;
  const lostTo = (registered: boolean) => (registered ? 'registration' : 'reservation');
  await db.run(sql`
    update reservation_names n set lost_to = l.lost_to
    from unnest(${lost.map(({ name }) => name)}::text[], ${lost.map(({ registered }) => lostTo(registered))}::text[]) as l(name, lost_to)
    where n.reservation_id = ${reservation.id} and n.name = l.name`);
  const amount = policy.reservations.price * BigInt(lost.length);
  const reason = `taken by others meanwhile: ${lost.map(({ name }) => name).join(', ')}`;
  await orderRefunds(
    db,
    [{ reference: paymentReference, invoiceNumber, amount, reason, actor: 'registry' }],
    at,
  );
}

async function heldByReservation(db: Sql, id: number | null, at: Date): Promise<Set<string>> {
  if (id === null) return new Set();
  const rows = await db.rows(sql<{ name: string }>`
    select name from reserved_names where reservation_id = ${id} and expires_at > ${at}`);
  return new Set(rows.map(({ name }) => name));
}

/** If one of the names was taken concurrently, the whole settlement is retried. */
async function insertReserved(
  db: Sql,
  { id, takenOverFrom }: Reservation,
  names: readonly string[],
  expiresAt: Date,
  at: Date,
): Promise<void> {
  await db.run(sql`
    with kept as (
      insert into reserved_names (name, code, expires_at, created_at, reservation_id)
      select name, code, ${expiresAt}, ${at}, ${id} from unnest(${names}::text[], ${names.map(registrationCode)}::text[]) as n(name, code) order by name
      on conflict (name) do update set code = excluded.code, expires_at = excluded.expires_at, created_at = excluded.created_at, reservation_id = excluded.reservation_id
      where reserved_names.expires_at <= ${at} or reserved_names.reservation_id = ${takenOverFrom}::bigint
      returning name),
    recorded as (${recordNames('reserve', at, sql`from kept as changed`)})
    select require_unchanged(count(*) = ${names.length}) from kept`);
}

/** The invoice was refunded in full: granted names that are not registered become available again. */
async function release(db: Sql, invoiceNumber: number, at: Date): Promise<void> {
  await db.run(sql`
    with reservation as (
      update reservations set released_at = ${at} where invoice_number = ${invoiceNumber} and granted_at is not null and released_at is null returning id),
    freed as (
      delete from reserved_names r using reservation where r.reservation_id = reservation.id returning r.name)
    ${recordNames('release', at, sql`from freed as changed`)}`);
}

const recordNames = (operation: string, now: Date, from: Fragment) =>
  insertHistory({ objectKind: 'name', objectId: 0, operation }, { actor: 'portal', now }, from);
