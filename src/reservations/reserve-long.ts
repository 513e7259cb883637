import { paymentLink } from '../billing/invoices/generate.ts';
import { insertInvoice } from '../billing/invoices/invoice-store.ts';
import { allocateNumber, dueDate } from '../billing/invoices/issue.ts';
import { lineTexts } from '../billing/invoices/line-texts.ts';
import { invoiceReferenceNumber } from '../billing/invoices/reference-numbers.ts';
import { splitGross, spreadEvenly } from '../billing/invoices/vat.ts';
import type { Keyed } from '../operations/stored-answers.ts';
import { inTransaction } from '../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../operations/run-operation.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { findNameStates, type NameState, whyUnavailable } from '../registry/names/availability.ts';
import type { ReservationDependencies } from './dependencies.ts';
import { parseNames, userUniqueId } from './reservation.ts';
import { refuse } from './reservation-refusals.ts';

const INITIATOR = 'business_registry';

export type LongInput = {
  readonly names: readonly string[];
  /** A free reservation of the same user, whose names count as available. */
  readonly userUniqueId?: string | undefined;
};
export type LongReservation = {
  readonly invoiceNumber: number;
  readonly id: string;
  readonly names: readonly string[];
  readonly paymentLink: string;
};

/** Issues an invoice for reserving names for a year. Nothing is reserved until it is paid. */
export async function reserveLong(
  parts: ReservationDependencies,
  { names: texts, userUniqueId: own }: LongInput,
  keyed: Keyed,
): Promise<Outcome<LongReservation>> {
  const { database, policy } = parts;
  const { now } = keyed;
  const asked = await parseNames(texts, policy);
  return runOperation(
    database,
    inTransaction({
      transact: async (db) => {
        const states = await findNameStates(db, asked, now);
        const held = own === undefined ? [] : await heldBy(db, own, now);
        const { names, from } = chooseNames(states, held);
        const id = userUniqueId();
        const number = await issue(db, parts, { names, id, now });
        await db.run(sql`
        with reservation as (
          insert into reservations (user_unique_id, invoice_number, taken_over_from, created_at) values (${id}, ${number}, ${from}, ${now}) returning id)
        insert into reservation_names (reservation_id, name, position)
        select reservation.id, name, position from reservation cross join unnest(${names}::text[]) with ordinality as n(name, position)`);
        return {
          invoiceNumber: number,
          id,
          names,
          paymentLink: await paymentLink(db, parts.provider, number),
        };
      },
    }),
    keyed,
  );
}

type HeldName = { readonly name: string; readonly reservationId: number };

/** The names to be paid for, in their order: those that are available, or held by the user's own free reservation. */
export function chooseNames(
  states: readonly NameState[],
  held: readonly HeldName[],
): { readonly names: readonly string[]; readonly from: number | null } {
  const heldFrom = new Map(held.map(({ name, reservationId }) => [name, reservationId]));
  const chosen = states.filter((state) => whyUnavailable(state) === undefined || heldFrom.has(state.name));
  if (chosen.length === 0) refuse('noneAvailable');
  const names = chosen.map(({ name }) => name);
  return { names, from: heldFrom.get(names.find((name) => heldFrom.has(name)) ?? '') ?? null };
}

/** The names that a free reservation still holds. */
function heldBy(db: Sql, id: string, now: Date): Promise<HeldName[]> {
  return db.rows(sql<HeldName>`
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
    number,
    referenceNumber,
    vatPercent,
    ...total,
    initiator: INITIATOR,
    kind: 'invoice',
    currency: policy.currency,
    description: `Reserved domain names: ${names.join(', ')}; User unique id: ${id}`,
    customField: id,
    issuedAt: now,
    dueDate: dueDate(policy, now),
    actor: INITIATOR,
    lines: names.map((name, index) => ({
      description: lineTexts.reservation(name, policy.reservations.paidYears),
      quantity: 1,
      net: nets[index] ?? 0n,
    })),
  });
  return number;
}
