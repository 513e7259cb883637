import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { canBecome, type Invoice, isPayable, type Status } from '../invoices/invoice.ts';

export type Share = { readonly invoiceNumber: number; readonly booked: Cents };
/** A refund that we asked for: of an invoice's share, or of the surplus where it names none. */
export type WaitingRefund = {
  readonly id: number;
  readonly amount: Cents;
  readonly invoiceNumber: number | null;
};

/** What we know of a payment before the provider is heard. */
export type KnownPayment = {
  readonly reference: string;
  readonly state: string | null;
  /** What is booked for it: the shares of its invoices, and the surplus that goes back. */
  readonly booked: Cents;
  readonly surplus: Cents;
  readonly shares: readonly Share[];
  /** It was booked once and taken back as a whole. */
  readonly reversed: boolean;
  readonly returnedElsewhere: Cents;
  /** What stood when a person judged it. */
  readonly judgedAmount: Cents | null;
  /** Those first whose money is the likeliest to be missing. */
  readonly refunds: readonly WaitingRefund[];
};

export type ProviderReport = {
  readonly state: string;
  readonly standingAmount: Cents;
  /** Whether it came to our own account, whose currency is that of the invoices. */
  readonly toOurAccount: boolean;
};

/** An invoice to pay, and what it pays for: itself, or the invoices of a bulk payment. */
export type Bill = {
  readonly invoice: Invoice;
  readonly leaves: readonly Invoice[];
  /** The states of the other attempts to pay it. */
  readonly otherAttempts: readonly string[];
};

export const holdKinds = {
  amount: 'another amount was paid than the invoice has',
  account: 'it came to an account that is not ours, or in another currency',
  invoice: 'there is no invoice of that number',
  reduction: 'a part was taken back that we did not ask for',
  again: 'it stands again after it was taken back',
  twice: 'it was paid back elsewhere and by the provider as well',
  refund: 'the provider refused to pay it back',
} as const;
export type HoldKind = keyof typeof holdKinds;

export type Decision = {
  readonly surplus: Cents;
  readonly shares: readonly Share[];
  readonly changes: readonly { readonly invoice: Invoice; readonly to: Status }[];
  /** Money that no invoice took, to be paid back. */
  readonly refundSurplus: Cents;
  /** Refunds that have taken place. */
  readonly doneRefunds: readonly number[];
  readonly hold: { readonly kind: HoldKind; readonly detail: string } | undefined;
};

/**
 * The one rule for money: what is booked for a payment follows what stands of it at the provider. Only the difference
 * is ever posted, so neither the order of messages nor their repetition can matter.
 */
export function decide(payment: KnownPayment, bill: Bill | undefined, told: ProviderReport): Decision {
  const stands = standingOf(payment, told);
  if (stands === payment.booked || reportStanding(told) === payment.judgedAmount)
    return followAttempt(payment, bill, told);
  if (stands < 0n) return beyondAll(payment, bill, told);
  return stands > payment.booked ? rise(payment, bill, told) : fall(payment, bill, told, stands);
}

/** What of a payment stands at the provider; undefined while that is open, whatever amount he names. */
export function reportStanding({ state, standingAmount }: ProviderReport): Cents | undefined {
  const kind = classOf(state);
  if (kind === 'under way') return undefined;
  return kind === 'standing' ? standingAmount : 0n;
}

/** What of a payment stands for us; what is under way stands as it is booked. */
export function standingOf({ booked, returnedElsewhere }: KnownPayment, told: ProviderReport): Cents {
  const stands = reportStanding(told);
  return stands === undefined ? booked : stands - returnedElsewhere;
}

/** Nothing follows. */
export const unchanged = ({ surplus, shares }: KnownPayment): Decision => ({
  ...{ surplus, shares, changes: [], refundSurplus: 0n, doneRefunds: [], hold: undefined },
});

function held(payment: KnownPayment, kind: HoldKind, { state, standingAmount }: ProviderReport): Decision {
  const detail = `${holdKinds[kind]}: ${state}, ${toDecimal(standingAmount)} stand, ${toDecimal(payment.booked)} booked`;
  return { ...unchanged(payment), hold: { kind, detail } };
}

/** No money moved: an attempt begins or ends. A new one opens an invoice again, the last one to end lets it fail. */
function followAttempt(payment: KnownPayment, bill: Bill | undefined, { state }: ProviderReport): Decision {
  const plan = unchanged(payment);
  if (!bill || !isPayable(bill.invoice) || payment.booked > 0n) return plan;
  const { invoice, otherAttempts } = bill;
  const before = payment.state === null ? undefined : classOf(payment.state);
  const now = classOf(state);
  if (now === before) return plan;
  const othersUnderWay = otherAttempts.some((other) => classOf(other) === 'under way');
  const to = now === 'under way' ? 'unpaid' : now === 'ended' && !othersUnderWay ? 'failed' : undefined;
  return to && canBecome(invoice.status, to) ? { ...plan, changes: [{ invoice, to }] } : plan;
}

function rise(payment: KnownPayment, bill: Bill | undefined, told: ProviderReport): Decision {
  if (payment.booked > 0n || payment.reversed) return held(payment, 'again', told);
  if (!bill) return held(payment, 'invoice', told);
  if (!told.toOurAccount) return held(payment, 'account', told);
  const { invoice, leaves } = bill;
  const amount = told.standingAmount - payment.returnedElsewhere;
  if (!isPayable(invoice)) return allSurplus(payment, amount);
  if (amount !== invoice.amount) return held(payment, 'amount', told);
  return settle(payment, bill, leaves.filter(isPayable));
}

/** Nothing is left to pay: all of it goes back. */
const allSurplus = (payment: KnownPayment, amount: Cents): Decision => ({
  ...unchanged(payment),
  surplus: amount,
  refundSurplus: amount,
});

/** Each invoice that is still to be paid takes its own amount; what was paid otherwise meanwhile goes back. */
export function settle(payment: KnownPayment, { invoice }: Bill, payable: readonly Invoice[]): Decision {
  if (payable.length === 0)
    return { ...allSurplus(payment, invoice.amount), changes: [{ invoice, to: 'cancelled' }] };
  const shares = payable.map(({ number, amount }) => ({ invoiceNumber: number, booked: amount }));
  const surplus = invoice.amount - sum(shares.map(({ booked }) => booked));
  const paid = payable.some(({ number }) => number === invoice.number) ? payable : [invoice, ...payable];
  return {
    ...unchanged(payment),
    ...{ shares, surplus, refundSurplus: surplus },
    changes: paid.map((each) => ({ invoice: each, to: 'paid' })),
  };
}

function fall(payment: KnownPayment, bill: Bill | undefined, told: ProviderReport, stands: Cents): Decision {
  const asked = matching(payment.refunds, payment.booked - stands);
  if (asked && stands > 0n) return payBack(payment, bill, asked);
  if (stands > 0n) return held(payment, 'reduction', told);
  return reverse(payment, bill);
}

/** More went back than there was, since some of it went back elsewhere. Where nothing stands nothing stays booked. */
function beyondAll(payment: KnownPayment, bill: Bill | undefined, told: ProviderReport): Decision {
  const { hold } = held(payment, 'twice', told);
  return { ...(reportStanding(told) === 0n ? reverse(payment, bill) : unchanged(payment)), hold };
}

/** A refund that we asked for takes its own money and nothing else. */
export function payBack(
  payment: KnownPayment,
  bill: Bill | undefined,
  asked: readonly WaitingRefund[],
): Decision {
  const of = (invoiceNumber: number | null) =>
    sum(asked.filter((refund) => refund.invoiceNumber === invoiceNumber).map(({ amount }) => amount));
  const shares = payment.shares.map(({ invoiceNumber, booked }) => ({
    invoiceNumber,
    booked: booked - of(invoiceNumber),
  }));
  const surplus = payment.surplus - of(null);
  return { ...takeBack(payment, bill, shares), surplus, doneRefunds: asked.map(({ id }) => id) };
}

/** All of it is gone, whoever asked for it. */
function reverse(payment: KnownPayment, bill: Bill | undefined): Decision {
  const shares = payment.shares.map(({ invoiceNumber }) => ({ invoiceNumber, booked: 0n }));
  return {
    ...takeBack(payment, bill, shares),
    surplus: 0n,
    doneRefunds: payment.refunds.map(({ id }) => id),
  };
}

/** What it had paid for and does no longer reads refunded, and only that. */
function takeBack(payment: KnownPayment, bill: Bill | undefined, shares: readonly Share[]): Decision {
  const isGone = ({ number }: Invoice) =>
    shares.some((share) => share.invoiceNumber === number && share.booked === 0n);
  const gone = bill?.leaves.filter(isGone) ?? [];
  const whole =
    bill && !bill.leaves.includes(bill.invoice) && gone.length === shares.length ? [bill.invoice] : [];
  const changes = [...whole, ...gone]
    .filter(({ paidBy, status }) => paidBy === payment.reference && canBecome(status, 'refunded'))
    .map((invoice) => ({ invoice, to: 'refunded' as const }));
  return { ...unchanged(payment), shares, changes };
}

/** More than these are never carried out without our hearing of any. */
const MAX_MATCHED_REFUNDS = 12;

/** The refunds whose money is gone: all that we wait for, or as few of them as come to it. */
function matching(refunds: readonly WaitingRefund[], missing: Cents): readonly WaitingRefund[] | undefined {
  if (sum(refunds.map(({ amount }) => amount)) === missing) return refunds;
  const one = refunds.find(({ amount }) => amount === missing);
  if (one) return [one];
  const sums = new Map<Cents, readonly WaitingRefund[]>([[0n, []]]);
  for (const refund of refunds.slice(0, MAX_MATCHED_REFUNDS))
    for (const [total, some] of [...sums])
      if (!sums.has(total + refund.amount)) sums.set(total + refund.amount, [...some, refund]);
  return sums.get(missing);
}

export const sum = (amounts: readonly Cents[]): Cents =>
  amounts.reduce((total, amount) => total + amount, 0n);

/** What a state of the provider's means for money. States that we do not know change nothing. */
export type StateClass = 'standing' | 'ended' | 'under way';

const STANDING = new Set(['settled', 'refunded', 'partially_refunded', 'chargebacked', 'charged_back']);
const ENDED = new Set(['failed', 'abandoned', 'voided']);

export function classOf(state: string): StateClass {
  if (STANDING.has(state)) return 'standing';
  return ENDED.has(state) ? 'ended' : 'under way';
}

/** Whether nothing more is expected; a one-off payment that failed can be paid by the same link again. */
export const isFinal = (state: string, isOneoff: boolean): boolean =>
  classOf(state) !== 'under way' && !(state === 'failed' && isOneoff);
