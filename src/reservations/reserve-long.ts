import { paymentLink } from '../billing/invoices/generate.ts';
import { insertInvoice } from '../billing/invoices/invoice-store.ts';
import { allocateNumber, dueDate } from '../billing/invoices/issue.ts';
import { lineTexts } from '../billing/invoices/line-texts.ts';
import { invoiceReferenceNumber } from '../billing/invoices/reference-numbers.ts';
import { splitGross, spreadEvenly } from '../billing/invoices/vat.ts';
import type { Keyed } from '../operations/idempotency.ts';
import { inTransaction } from '../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../operations/run-operation.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { ReservationDependencies } from './dependencies.ts';
import { refuse } from './refusals.ts';
import { parseAvailable, parseNames, userUniqueId } from './reservation.ts';

const INITIATOR = 'business_registry';

export type LongInput = {
  readonly names: readonly string[];
  /** A free reservation of the same user, whose names count as available. */
  readonly userUniqueId?: string | undefined;
};
export type LongReservation = {
  readonly invoice_number: number;
  readonly user_unique_id: string;
  readonly available_domains: readonly string[];
  readonly linkpay_url: string;
};

/** Issues an invoice for reserving names for a year. Nothing is reserved until it is paid. */
export async function reserveLong(
  parts: ReservationDependencies,
  { names: texts, userUniqueId: own }: LongInput,
  keyed: Keyed,
): Promise<Outcome<LongReservation>> {
  const { database, policy } = parts;
  const { now } = keyed;
  return runOperation(
    database,
    inTransaction({
      transact: async (db) => {
        const free = await parseAvailable(db, texts, { policy, now });
        const held = own === undefined ? [] : await heldBy(db, own, now);
        const names = parseNames(texts, policy).filter(
          (name) => free.includes(name) || held.some((item) => item.name === name),
        );
        if (names.length === 0) refuse('noneAvailable');
        const id = userUniqueId();
        const number = await issue(db, parts, { names, id, now });
        const from = held.find(({ name }) => names.includes(name))?.reservationId ?? null;
        await db.run(sql`
        with reservation as (
          insert into reservations (user_unique_id, invoice_number, taken_over_from, created_at) values (${id}, ${number}, ${from}, ${now}) returning id)
        insert into reservation_names (reservation_id, name, position)
        select reservation.id, name, position from reservation cross join unnest(${names}::text[]) with ordinality as n(name, position)`);
        const link = await paymentLink(db, parts.provider, number);
        return { invoice_number: number, user_unique_id: id, available_domains: names, linkpay_url: link };
      },
    }),
    keyed,
  );
}

/** The names that a free reservation still holds. */
function heldBy(db: Sql, id: string, now: Date): Promise<{ name: string; reservationId: number }[]> {
  return db.rows(sql<{ name: string; reservationId: number }>`
    select r.name, r.reservation_id as "reservationId" from reserved_names r join reservations v on v.id = r.reservation_id
    where v.user_unique_id = ${id} and v.invoice_number is null and r.expires_at > ${now}`);
}

/** The price includes VAT; the invoice has one line per name. */
async function issue(
  db: Sql,
  { policy }: ReservationDependencies,
  { names, id, now }: { readonly names: readonly string[]; readonly id: string; readonly now: Date },
): Promise<number> {
  const { vatPercent } = policy.billing;
  const { price } = policy.reservations;
  const number = await allocateNumber(db, 'regular', INITIATOR, { policy, now });
  const referenceNumber = await invoiceReferenceNumber(db, INITIATOR, now);
  const total = splitGross(price * BigInt(names.length), vatPercent);
  const nets = spreadEvenly(total.net, names.length);
  await insertInvoice(db, {
    ...{
      number,
      referenceNumber,
      vatPercent,
      ...total,
      initiator: INITIATOR,
      kind: 'invoice',
      currency: policy.currency,
    },
    ...{ description: `Reserved domain names: ${names.join(', ')}; User unique id: ${id}`, customField: id },
    ...{ issuedAt: now, dueDate: dueDate(policy, now), actor: INITIATOR },
    lines: names.map((name, index) => ({
      description: lineTexts.reservation(name, policy.reservations.paidYears),
      ...{ quantity: 1, net: nets[index] ?? 0n },
    })),
  });
  return number;
}
