import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { canBecome, type Invoice, isPayable, type Status } from '../invoices/invoice.ts';

export type Share = { readonly invoiceNumber: number; readonly booked: Cents };
/** A pending refund: of an invoice's share, or of the surplus where it names none. */
export type WaitingRefund = {
  readonly id: number;
  readonly amount: Cents;
  readonly invoiceNumber: number | null;
};

/** The stored state of a payment before a provider report is applied. */
export type KnownPayment = {
  readonly reference: string;
  readonly state: string | null;
  /** The booked amount: the shares of its invoices, and the surplus to be refunded. */
  readonly booked: Cents;
  readonly surplus: Cents;
  readonly shares: readonly Share[];
  /** It was booked once and reversed completely. */
  readonly reversed: boolean;
  readonly returnedExternally: Cents;
  /** The standing amount when an operator resolved it. */
  readonly resolvedAmount: Cents | null;
  /** Ordered by how likely their money is to be missing. */
  readonly refunds: readonly WaitingRefund[];
};

export type ProviderReport = {
  readonly state: string;
  readonly standingAmount: Cents;
  /** Whether it was paid to our own account, whose currency is that of the invoices. */
  readonly toOurAccount: boolean;
};

/** An invoice to pay and its leaves: itself, or the invoices of a bulk payment. */
export type Bill = {
  readonly invoice: Invoice;
  readonly leaves: readonly Invoice[];
  /** The states of the other payment attempts for it. */
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
  /** Money not allocated to an invoice, to be refunded. */
  readonly refundSurplus: Cents;
  /** Completed refunds. */
  readonly doneRefunds: readonly number[];
  readonly hold: { readonly kind: HoldKind; readonly detail: string } | undefined;
};

/**
 * The one rule for money: the booked amount of a payment follows its standing amount at the provider. Only the
 * difference is posted, so neither order nor repetition of messages matters.
 */
export function decide(payment: KnownPayment, bill: Bill | undefined, report: ProviderReport): Decision {
  const stands = standingOf(payment, report);
  if (stands === payment.booked || reportStanding(report) === payment.resolvedAmount)
    return followAttempt(payment, bill, report);
  if (stands < 0n) return returnedTwice(payment, bill, report);
  return stands > payment.booked ? rise(payment, bill, report) : fall(payment, bill, report, stands);
}

/** The standing amount at the provider; undefined while the state is open, whatever amount is reported. */
export function reportStanding({ state, standingAmount }: ProviderReport): Cents | undefined {
  const kind = classOf(state);
  if (kind === 'under way') return undefined;
  return kind === 'standing' ? standingAmount : 0n;
}

/** The standing amount less external returns; an open payment stands as it is booked. */
export function standingOf({ booked, returnedExternally }: KnownPayment, report: ProviderReport): Cents {
  const stands = reportStanding(report);
  return stands === undefined ? booked : stands - returnedExternally;
}

export const unchanged = ({ surplus, shares }: KnownPayment): Decision => ({
  surplus,
  shares,
  changes: [],
  refundSurplus: 0n,
  doneRefunds: [],
  hold: undefined,
});

function held(payment: KnownPayment, kind: HoldKind, { state, standingAmount }: ProviderReport): Decision {
  const detail = `${holdKinds[kind]}: ${state}, ${toDecimal(standingAmount)} stand, ${toDecimal(payment.booked)} booked`;
  return { ...unchanged(payment), hold: { kind, detail } };
}

/** No money moved: an attempt begins or ends. A new attempt reopens an invoice, the last one to end marks it failed. */
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

function rise(payment: KnownPayment, bill: Bill | undefined, report: ProviderReport): Decision {
  if (payment.booked > 0n || payment.reversed) return held(payment, 'again', report);
  if (!bill) return held(payment, 'invoice', report);
  if (!report.toOurAccount) return held(payment, 'account', report);
  const { invoice, leaves } = bill;
  const amount = report.standingAmount - payment.returnedExternally;
  if (!isPayable(invoice)) return allSurplus(payment, amount);
  if (amount !== invoice.amount) return held(payment, 'amount', report);
  return settle(payment, bill, leaves.filter(isPayable));
}

/** Nothing is left to pay: the whole amount is refunded. */
const allSurplus = (payment: KnownPayment, amount: Cents): Decision => ({
  ...unchanged(payment),
  surplus: amount,
  refundSurplus: amount,
});

/** Each payable invoice takes its own amount; the amount of invoices paid otherwise meanwhile is refunded. */
function settle(payment: KnownPayment, { invoice }: Bill, payable: readonly Invoice[]): Decision {
  if (payable.length === 0)
    return { ...allSurplus(payment, invoice.amount), changes: [{ invoice, to: 'cancelled' }] };
  const shares = payable.map(({ number, amount }) => ({ invoiceNumber: number, booked: amount }));
  const surplus = invoice.amount - sum(shares.map(({ booked }) => booked));
  const paid = payable.some(({ number }) => number === invoice.number) ? payable : [invoice, ...payable];
  return {
    ...unchanged(payment),
    shares,
    surplus,
    refundSurplus: surplus,
    changes: paid.map((each) => ({ invoice: each, to: 'paid' })),
  };
}

function fall(
  payment: KnownPayment,
  bill: Bill | undefined,
  report: ProviderReport,
  stands: Cents,
): Decision {
  const matched = matching(payment.refunds, payment.booked - stands);
  if (matched && stands > 0n) return payBack(payment, bill, matched);
  if (stands > 0n) return held(payment, 'reduction', report);
  return reverse(payment, bill);
}

/**
 * More was returned than was paid, because part of it was returned externally. Where nothing stands nothing stays
 * booked.
 */
function returnedTwice(payment: KnownPayment, bill: Bill | undefined, report: ProviderReport): Decision {
  const { hold } = held(payment, 'twice', report);
  return { ...(reportStanding(report) === 0n ? reverse(payment, bill) : unchanged(payment)), hold };
}

/** A refund we ordered reduces its own share and nothing else. */
export function payBack(
  payment: KnownPayment,
  bill: Bill | undefined,
  matched: readonly WaitingRefund[],
): Decision {
  const of = (invoiceNumber: number | null) =>
    sum(matched.filter((refund) => refund.invoiceNumber === invoiceNumber).map(({ amount }) => amount));
  const shares = payment.shares.map(({ invoiceNumber, booked }) => ({
    invoiceNumber,
    booked: booked - of(invoiceNumber),
  }));
  const surplus = payment.surplus - of(null);
  return { ...takeBack(payment, bill, shares), surplus, doneRefunds: matched.map(({ id }) => id) };
}

/** The whole amount is gone, by whatever order. */
function reverse(payment: KnownPayment, bill: Bill | undefined): Decision {
  const shares = payment.shares.map(({ invoiceNumber }) => ({ invoiceNumber, booked: 0n }));
  return {
    ...takeBack(payment, bill, shares),
    surplus: 0n,
    doneRefunds: payment.refunds.map(({ id }) => id),
  };
}

/** Marks as refunded only the invoices that this payment had paid and no longer pays. */
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

/** Bounds the subset search; more refunds than this are never completed between two polls. */
const MAX_MATCHED_REFUNDS = 12;

/** The refunds that explain the missing amount: all pending ones, or a smaller subset with that sum. */
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

/** What a provider state means for money. Unknown states change nothing. */
export type StateClass = 'standing' | 'ended' | 'under way';

const STANDING = new Set(['settled', 'refunded', 'partially_refunded', 'chargebacked', 'charged_back']);
const ENDED = new Set(['failed', 'abandoned', 'voided']);

function classOf(state: string): StateClass {
  if (STANDING.has(state)) return 'standing';
  return ENDED.has(state) ? 'ended' : 'under way';
}

/** Whether no further change is expected; a failed one-off payment can be paid again by the same link. */
export const isFinal = (state: string, isOneoff: boolean): boolean =>
  classOf(state) !== 'under way' && !(state === 'failed' && isOneoff);
