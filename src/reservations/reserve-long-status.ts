import { setTimeout as sleep } from 'node:timers/promises';
import { changeStatuses } from '../billing/invoices/change-statuses.ts';
import { paymentLink } from '../billing/invoices/generate.ts';
import { canBecome, isPayable, isPayableByLink, type Status } from '../billing/invoices/invoice.ts';
import { isHeld, lockInvoice } from '../billing/invoices/invoice-store.ts';
import { pollPayment } from '../billing/payments/poll-provider.ts';
import { ProviderUnavailable } from '../billing/provider/provider.ts';
import { runTransaction } from '../operations/in-transaction.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { ReservationDependencies } from './dependencies.ts';
import { type Entry, entriesOf, filterAvailable, parseNames } from './reservation.ts';

export type UnpaidStatus = 'pending' | 'unpaid' | 'failed' | 'error' | 'cancelled';
export type LongStatus =
  | { readonly status: 'paid'; readonly entries: readonly Entry[] }
  | { readonly status: UnpaidStatus; readonly names: readonly string[]; readonly linkpayUrl: string | null };

type StoredReservation = {
  readonly id: number;
  readonly status: Status;
  readonly held: boolean;
  readonly takenOverFrom: number | null;
};

/** How long the portal waits for the provider, and how often one payment is polled at most. */
const POLL_TIMEOUT_MS = 2_000;
const MIN_POLL_INTERVAL_SECONDS = 5;

/** The state of a paid reservation. Open payments are polled at the provider, which makes up for a lost callback. */
export async function longStatus(
  parts: ReservationDependencies,
  invoiceNumber: number,
  userUniqueId: string,
): Promise<LongStatus | undefined> {
  const { database, clock } = parts;
  const known = await find(database.reads, invoiceNumber, userUniqueId);
  if (!known) return undefined;
  if (isPayable(known)) {
    await pollOpenPayments(parts, invoiceNumber);
    await cancelIfNoNameAvailable(parts, invoiceNumber, known);
  }
  const found = await find(database.reads, invoiceNumber, userUniqueId);
  if (!found) return undefined;
  const status = shownStatus(found);
  if (status === 'paid') return { status, entries: await entriesOf(database.reads, found.id, clock.now()) };
  const names = await namesOf(database.reads, found.id);
  const linkpayUrl = isPayableByLink(found) ? await linkOf(parts, invoiceNumber) : null;
  return { status, names, linkpayUrl };
}

/** Without a provider there is no payment link; the status is returned nevertheless. */
const linkOf = (
  { database, provider }: ReservationDependencies,
  invoiceNumber: number,
): Promise<string | null> =>
  paymentLink(database.reads, provider, invoiceNumber).catch((error: unknown) => {
    if (error instanceof ProviderUnavailable) return null;
    throw error;
  });

const SHOWN: Readonly<Record<Status, LongStatus['status']>> = {
  unpaid: 'pending',
  failed: 'failed',
  overdue: 'unpaid',
  paid: 'paid',
  cancelled: 'cancelled',
  refunded: 'cancelled',
};

/** While a payment is held for an operator's decision the outcome is unknown, unless the invoice is paid already. */
export const shownStatus = ({
  status,
  held,
}: Pick<StoredReservation, 'status' | 'held'>): LongStatus['status'] =>
  held && isPayable({ status }) ? 'error' : SHOWN[status];

async function find(
  db: Sql,
  invoiceNumber: number,
  userUniqueId: string,
): Promise<StoredReservation | undefined> {
  return db.maybe(sql<StoredReservation>`
    select v.id, i.status, v.taken_over_from as "takenOverFrom",
      ${isHeld(sql`i.number`)} as held
    from reservations v join invoices i on i.number = v.invoice_number
    where v.invoice_number = ${invoiceNumber} and v.user_unique_id = ${userUniqueId}`);
}

async function namesOf(db: Sql, id: number): Promise<string[]> {
  const rows = await db.rows(
    sql<{ name: string }>`select name from reservation_names where reservation_id = ${id} order by position`,
  );
  return rows.map(({ name }) => name);
}

/** Bounded by POLL_TIMEOUT_MS; after that the stored state is used. */
async function pollOpenPayments(parts: ReservationDependencies, invoiceNumber: number): Promise<void> {
  const { database, clock, log } = parts;
  const payments = await database.reads.rows(sql<{ reference: string }>`
    select reference from payments
    where invoice_number = ${invoiceNumber} and open and not external
      and (polled_at is null or polled_at <= ${clock.now()}::timestamptz - make_interval(secs => ${MIN_POLL_INTERVAL_SECONDS}))`);
  const answers = payments.map(({ reference }) =>
    pollPayment(parts, reference).catch((error: unknown) =>
      log.warn({ err: error, payment: reference }, 'a payment poll failed'),
    ),
  );
  if (answers.length > 0)
    await Promise.race([Promise.all(answers), sleep(POLL_TIMEOUT_MS, undefined, { ref: false })]);
}

/** Cancels an invoice none of whose names is available any more. */
export async function cancelIfNoNameAvailable(
  { database, policy, clock }: ReservationDependencies,
  invoiceNumber: number,
  { id, takenOverFrom }: Pick<StoredReservation, 'id' | 'takenOverFrom'>,
): Promise<void> {
  const now = clock.now();
  const names = await namesOf(database.reads, id);
  const known = await parseNames(names, policy);
  if ((await filterAvailable(database.reads, known, now)).length > 0) return;
  const own = await database.reads.maybe(sql`
    select from reserved_names where reservation_id = ${takenOverFrom}::bigint and expires_at > ${now} and name = any(${names}::text[]) limit 1`);
  if (own) return;
  await runTransaction(database.writes, now, async (db) => {
    const invoice = await lockInvoice(db, invoiceNumber);
    if (!invoice || !canBecome(invoice.status, 'cancelled')) return;
    const cause = { actor: 'registry', at: now, reason: 'none of its names is left' };
    await changeStatuses(db, [{ invoice, to: 'cancelled' }], cause);
  });
}
