import type { RegistrarCode } from '../model/state.ts';

export type Status = 'unpaid' | 'paid' | 'failed' | 'cancelled' | 'overdue' | 'refunded';
export const statuses: readonly Status[] = ['unpaid', 'paid', 'failed', 'cancelled', 'overdue', 'refunded'];
export type Kind = 'invoice' | 'deposit' | 'bulk' | 'top-up';
export type Hold = 'amount' | 'account' | 'invoice' | 'reduction' | 'again' | 'twice' | 'refund';

/** The table of decisions.md, section 4. */
const TABLE: Readonly<Record<Status, readonly Status[]>> = {
  unpaid: ['paid', 'failed', 'cancelled', 'overdue'],
  failed: ['unpaid', 'paid', 'cancelled'],
  overdue: ['unpaid', 'paid', 'cancelled'],
  paid: ['refunded'],
  cancelled: [],
  refunded: [],
};
export const may = (from: Status, to: Status): boolean => TABLE[from].includes(to);

const VAT_PERCENT = 24n;
const halfUp = (dividend: bigint, divisor: bigint): bigint =>
  dividend / divisor + (2n * (dividend % divisor) >= divisor ? 1n : 0n);
export const netOfGross = (gross: bigint): bigint => halfUp(gross * 100n, 100n + VAT_PERCENT);
export const grossOfNet = (net: bigint): bigint => net + halfUp(net * VAT_PERCENT, 100n);

export class BookInvoice {
  readonly number: number;
  readonly kind: Kind;
  readonly initiator: string;
  readonly amount: bigint;
  readonly net: bigint;
  readonly registrar: RegistrarCode | undefined;
  readonly dueDate: string;
  /** What it pays for: itself, or others. */
  readonly leaves: readonly BookInvoice[];
  status: Status = 'unpaid';
  paidBy: string | null = null;
  readonly changes: string[] = ['-unpaid'];

  constructor(facts: {
    number: number;
    kind: Kind;
    initiator: string;
    amount: bigint;
    net: bigint;
    registrar?: RegistrarCode | undefined;
    dueDate: string;
    leaves?: readonly BookInvoice[];
  }) {
    this.number = facts.number;
    this.kind = facts.kind;
    this.initiator = facts.initiator;
    this.amount = facts.amount;
    this.net = facts.net;
    this.registrar = facts.registrar;
    this.dueDate = facts.dueDate;
    this.leaves = facts.leaves ?? [this];
  }

  get payable(): boolean {
    return may(this.status, 'paid');
  }

  become(to: Status, payment: string | null): void {
    if (!may(this.status, to))
      throw new Error(`invoice ${this.number} went from ${this.status} to ${to}, which no rule allows`);
    this.changes.push(`${this.status}-${to}`);
    this.status = to;
    if (to === 'paid') this.paidBy = payment;
  }

  /** The net part of a share. */
  netOf(part: bigint): bigint {
    return halfUp(part * this.net, this.amount);
  }
}

export class BookPayment {
  readonly reference: string;
  readonly elsewhere: boolean;
  invoice: BookInvoice | undefined;
  oneoff = false;
  state: string | null = null;
  standing = 0n;
  readonly shares = new Map<BookInvoice, bigint>();
  surplus = 0n;
  reversed = false;
  returned = 0n;
  /** The standing amount at the provider when an operator decided. */
  judged: bigint | undefined;
  readonly holds = new Set<Hold>();
  wasHeld = false;

  constructor(reference: string, elsewhere = false) {
    this.reference = reference;
    this.elsewhere = elsewhere;
  }

  get booked(): bigint {
    return this.surplus + total([...this.shares.values()]);
  }

  hold(kind: Hold): void {
    this.holds.add(kind);
    this.wasHeld = true;
  }

  /** The standing amount at the provider; undefined while nothing is final. */
  get stands(): bigint | undefined {
    return this.state === null ? undefined : standingIn(this.state, this.standing);
  }
}

export type BookRefund = {
  readonly payment: BookPayment;
  readonly invoice: BookInvoice | null;
  amount: bigint;
  id: number | undefined;
  state: 'waiting' | 'done' | 'refused';
};

export const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

const MONEY = new Set(['settled', 'refunded', 'partially_refunded', 'chargebacked', 'charged_back']);
const ENDED = new Set(['failed', 'abandoned', 'voided']);

/** Facts C1: settled and what follows it has a standing amount, what failed has nothing, the rest is not final. */
export function standingIn(state: string, standing: bigint): bigint | undefined {
  if (MONEY.has(state)) return standing;
  return ENDED.has(state) ? 0n : undefined;
}
export const isUnderWay = (state: string): boolean => !MONEY.has(state) && !ENDED.has(state);
export const hasEnded = (state: string): boolean => ENDED.has(state);
/** A one-off link can be paid again after `failed`. */
export const isFinal = (state: string | null, oneoff: boolean): boolean =>
  state !== null && !isUnderWay(state) && !(oneoff && state === 'failed');
