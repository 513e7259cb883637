import type { RegistrarCode } from '../model/state.ts';
import {
  BookInvoice,
  BookPayment,
  type BookRefund,
  type Hold,
  type Kind,
  type Status,
  total,
} from './books.ts';
import { type Resolution, Rules } from './rules.ts';
import { OUR_ACCOUNT, type ScriptedProvider } from './scripted-provider.ts';

export type InvoicePlan = {
  readonly kind: Kind;
  readonly initiator: string;
  readonly amount: bigint;
  readonly net: bigint;
  readonly registrar?: RegistrarCode;
  readonly leaves?: readonly number[];
};
/** The intent of a transaction; one without a label applies a report of the provider. */
export type Label =
  | { readonly kind: 'issue'; readonly plan: InvoicePlan }
  | { readonly kind: 'attempt'; readonly number: number }
  | { readonly kind: 'status'; readonly number: number; readonly to: Status }
  | { readonly kind: 'refund'; readonly number: number }
  | {
      readonly kind: 'resolve';
      readonly reference: string;
      readonly hold: Hold;
      readonly resolution: Resolution;
    }
  | { readonly kind: 'spend'; readonly registrar: RegistrarCode; readonly price: bigint }
  | { readonly kind: 'due dates' };

export type SeenRefund = {
  readonly id: number;
  readonly reference: string;
  readonly invoice: number | null;
  readonly amount: string;
  readonly state: BookRefund['state'];
  readonly nonce: string;
};
/** What a transaction had changed at its end, and how all refunds stood then. */
export type Seen = {
  readonly at: number;
  readonly payments: readonly { readonly reference: string; readonly serial: number | null }[];
  readonly invoices: readonly { readonly number: number; readonly status: Status }[];
  readonly refunds: readonly SeenRefund[];
};
export type Entry = { readonly label: Label | undefined; readonly seen: Seen };

export const registrarCodes: readonly RegistrarCode[] = ['ALPHA', 'BETA', 'POOR'];
const DAY_MS = 86_400_000;
export const DUE_DAYS = 30;
const CANCELLED_AFTER_DAYS = 30;

export const dayOf = (time: number): string =>
  new Date(time).toLocaleDateString('sv', { timeZone: 'Europe/Tallinn' });
export const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Applies the rules to every committed transaction in turn, and predicts its result. */
export class Journal extends Rules {
  readonly #provider: ScriptedProvider;
  readonly #applied = new Set<number>();
  readonly spent = new Map<RegistrarCode, bigint>();

  constructor(provider: ScriptedProvider) {
    super();
    this.#provider = provider;
  }

  follow({ label, seen }: Entry): void {
    if (label?.kind !== 'resolve') this.noteRefusals(seen.refunds);
    if (label) this.#carryOut(label, seen);
    else for (const { reference, serial } of seen.payments) this.#hear(reference, serial, seen);
    this.#adopt(seen.refunds);
  }

  /** A refund is refused where the provider refused, ignored or reversed it; anything else is a fault of ours. */
  noteRefusals(rows: readonly SeenRefund[]): void {
    for (const { id, state, nonce } of rows) {
      const refund = this.refunds.find((each) => each.id === id);
      if (state !== 'refused' || refund?.state !== 'waiting') continue;
      const { refused, taken, done, payments } = this.#provider;
      const isLost = done.has(nonce) && payments.get(refund.payment.reference)?.undisturbed === false;
      if (!refused.has(nonce) && !taken.has(nonce) && !isLost)
        throw new Error(`refund ${id} is held as refused, and the provider never said no`);
      refund.state = 'refused';
      refund.payment.hold('refund');
    }
  }

  position(registrar: RegistrarCode): bigint {
    const shares = [...this.payments.values()].flatMap((payment) => [...payment.shares]);
    const own = shares.filter(([invoice]) => invoice.registrar === registrar);
    return total(own.map(([invoice, booked]) => invoice.netOf(booked))) - (this.spent.get(registrar) ?? 0n);
  }

  /** The status of an invoice by its due date. */
  dueFor({ status, kind, dueDate, number }: BookInvoice, day: string): Status | undefined {
    const attempts = [...this.payments.values()].filter((payment) => payment.invoice?.number === number);
    if (status === 'unpaid' && dueDate < day)
      return attempts.some(({ stands, state }) => state !== null && stands === undefined)
        ? undefined
        : 'overdue';
    const late = status === 'overdue' && kind === 'top-up' && daysLater(dueDate, CANCELLED_AFTER_DAYS) < day;
    return late ? 'cancelled' : undefined;
  }

  #hear(reference: string, serial: number | null, { refunds }: Seen): void {
    const answer = serial === null ? undefined : this.#provider.answers[serial];
    if (serial === null || !answer || this.#applied.has(serial)) return;
    if (answer.reference !== reference) throw new Error(`${reference} was told of another payment`);
    this.#applied.add(serial);
    const payment = this.#payment(reference);
    const closed = refunds.filter(({ state }) => state === 'done').map(({ id }) => id);
    this.applyReport(
      payment,
      {
        state: answer.state,
        standing: answer.standingAmount,
        orderReference: answer.orderReference,
        ours: answer.accountName === OUR_ACCOUNT,
      },
      this.waiting(payment).filter(({ id }) => id !== undefined && closed.includes(id)),
    );
  }

  #payment(reference: string): BookPayment {
    const known = this.payments.get(reference) ?? new BookPayment(reference);
    this.payments.set(reference, known);
    return known;
  }

  #invoice(number: number): BookInvoice {
    const invoice = this.invoices.get(number);
    if (!invoice) throw new Error(`nobody issued invoice ${number}`);
    return invoice;
  }

  #carryOut(label: Label, seen: Seen): void {
    if (label.kind === 'issue') this.#issue(label.plan, seen);
    else if (label.kind === 'due dates') this.#passDays(seen);
    else if (label.kind === 'spend') this.#spend(label.registrar, label.price);
    else if (label.kind === 'attempt') this.#begin(this.#invoice(label.number), seen);
    else if (!this.attempt(label))
      throw new Error(`${JSON.stringify(label)} was done, and no rule allows it`);
  }

  /** Applies the intent where the rules allow it; otherwise nothing. */
  attempt(label: Label): boolean {
    if (label.kind === 'status') return this.become(this.#invoice(label.number), label.to);
    if (label.kind === 'refund') return this.refundInvoice(this.#invoice(label.number));
    if (label.kind === 'resolve')
      return this.resolve(this.#payment(label.reference), label.hold, label.resolution);
    if (label.kind === 'spend') return this.position(label.registrar) >= label.price;
    if (label.kind === 'attempt') return this.#invoice(label.number).payable;
    return true;
  }

  /** The invoice, then its first attempt; an invoice whose attempt could not begin is cancelled. */
  #issue({ leaves, ...plan }: InvoicePlan, seen: Seen): void {
    for (const { number, status } of seen.invoices) {
      const known = this.invoices.get(number);
      if (known && known.status !== status && status === 'cancelled') known.become('cancelled', null);
      if (known) continue;
      const dueDate = daysLater(dayOf(seen.at), DUE_DAYS);
      const parts = leaves && { leaves: leaves.map((each) => this.#invoice(each)) };
      this.invoices.set(number, new BookInvoice({ ...plan, ...parts, number, dueDate }));
    }
    const [issued] = seen.invoices;
    if (issued === undefined && seen.payments.length > 0) this.#beginFirst(seen);
  }

  #beginFirst(seen: Seen): void {
    const newest = [...this.invoices.values()].at(-1);
    if (newest) this.#begin(newest, seen);
  }

  #begin(invoice: BookInvoice, { payments }: Seen): void {
    for (const { reference } of payments) {
      const payment = this.#payment(reference);
      if (invoice.status !== 'unpaid' && invoice.payable) invoice.become('unpaid', null);
      payment.invoice = invoice;
      payment.oneoff = true;
      payment.state ??= 'initial';
    }
  }

  #spend(registrar: RegistrarCode, price: bigint): void {
    if (this.position(registrar) < price) throw new Error(`${registrar} spent what it did not have`);
    this.spent.set(registrar, (this.spent.get(registrar) ?? 0n) + price);
  }

  #passDays({ invoices, at }: Seen): void {
    for (const { number, status } of invoices) {
      const invoice = this.#invoice(number);
      if (this.dueFor(invoice, dayOf(at)) !== status)
        throw new Error(`invoice ${number} became ${status} by the calendar, and should not have`);
      invoice.become(status, null);
    }
  }

  /** Every refund that was ordered must be one that the rules order, and the other way round. */
  #adopt(rows: readonly SeenRefund[]): void {
    for (const row of rows) {
      if (this.refunds.some(({ id }) => id === row.id)) continue;
      const ordered = this.refunds.find(
        ({ id, payment, invoice, amount }) =>
          id === undefined &&
          payment.reference === row.reference &&
          (invoice?.number ?? null) === row.invoice &&
          amount === BigInt(row.amount),
      );
      if (!ordered) throw new Error(`nobody should have ordered the refund ${JSON.stringify(row)}`);
      ordered.id = row.id;
    }
    const missing = this.refunds.find(({ id }) => id === undefined);
    if (missing) throw new Error(`${missing.amount} of ${missing.payment.reference} should be refunded`);
  }
}
