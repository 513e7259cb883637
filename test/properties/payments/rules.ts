import {
  type BookInvoice,
  BookPayment,
  type BookRefund,
  type Hold,
  hasEnded,
  isUnderWay,
  may,
  type Status,
  standingIn,
  total,
} from './books.ts';

export type Report = {
  readonly state: string;
  readonly standing: bigint;
  readonly ours: boolean;
  readonly orderReference: string;
};
export type Resolution = 'accept' | 'refund' | 'dismiss';

export const RESOLUTIONS: Readonly<Record<Hold, readonly Resolution[]>> = {
  amount: ['accept', 'refund', 'dismiss'],
  account: ['dismiss'],
  invoice: ['refund', 'dismiss'],
  reduction: ['accept', 'dismiss'],
  again: ['accept', 'refund', 'dismiss'],
  twice: ['dismiss'],
  refund: ['refund', 'dismiss'],
};

/** The rules about money, decisions.md sections 4 and 5, in memory and sequentially. */
export class Rules {
  readonly invoices = new Map<number, BookInvoice>();
  readonly payments = new Map<string, BookPayment>();
  readonly refunds: BookRefund[] = [];

  waiting(payment: BookPayment): BookRefund[] {
    return this.refunds.filter((refund) => refund.payment === payment && refund.state === 'waiting');
  }

  /**
   * The provider's report is applied. `closed` is which refunds of ours were taken for done, where more than one choice comes to
   * what is missing.
   */
  applyReport(payment: BookPayment, report: Report, closed: readonly BookRefund[]): void {
    const before = payment.state;
    payment.invoice ??= this.#invoiceOf(report.orderReference);
    payment.state = report.state;
    payment.standing = report.standing;
    const reported = standingIn(report.state, report.standing);
    const stands = reported === undefined ? payment.booked : reported - payment.returned;
    if (stands === payment.booked || (reported !== undefined && reported === payment.judged))
      this.#followAttempt(payment, before);
    else if (stands > payment.booked) this.#rise(payment, stands, report.ours);
    else this.#fall(payment, stands, reported ?? 0n, closed);
    // Books and provider agree again: the holds for that reason end.
    if (reported !== undefined && reported - payment.returned === payment.booked)
      for (const kind of ['amount', 'account', 'invoice', 'reduction', 'again'] as const)
        payment.holds.delete(kind);
  }

  #invoiceOf(orderReference: string): BookInvoice | undefined {
    const first = orderReference.replace(/^Ref:/, '').split(',')[0] ?? '';
    return this.invoices.get(Number(first));
  }

  /** Non-final states change nothing but that a new attempt opens an invoice again; the last one to end lets it fail. */
  #followAttempt(payment: BookPayment, before: string | null): void {
    const { invoice, state } = payment;
    if (!invoice || state === null || !invoice.payable || payment.booked > 0n) return;
    if (isUnderWay(state) && (before === null || !isUnderWay(before))) {
      if (may(invoice.status, 'unpaid')) invoice.become('unpaid', payment.reference);
    } else if (hasEnded(state) && (before === null || !hasEnded(before))) {
      const others = [...this.payments.values()].filter(
        (each) => each.invoice === invoice && each !== payment,
      );
      const another = others.some((each) => each.state !== null && isUnderWay(each.state));
      if (!another && may(invoice.status, 'failed')) invoice.become('failed', payment.reference);
    }
  }

  #rise(payment: BookPayment, stands: bigint, ours: boolean): void {
    const { invoice } = payment;
    if (payment.booked > 0n || payment.reversed) payment.hold('again');
    else if (!invoice) payment.hold('invoice');
    else if (!ours) payment.hold('account');
    else if (!invoice.payable) this.#giveBack(payment, stands);
    else if (stands !== invoice.amount) payment.hold('amount');
    else this.settle(payment, invoice);
  }

  #giveBack(payment: BookPayment, amount: bigint): void {
    if (amount === 0n) return;
    payment.surplus += amount;
    this.order(payment, null, amount);
  }

  order(payment: BookPayment, invoice: BookInvoice | null, amount: bigint): void {
    this.refunds.push({ payment, invoice, amount, id: undefined, state: 'waiting' });
  }

  /** Each payable invoice is paid; money for those paid meanwhile is refunded. */
  settle(payment: BookPayment, invoice: BookInvoice): void {
    const payable = invoice.leaves.filter((leaf) => leaf.payable);
    for (const leaf of payable) payment.shares.set(leaf, leaf.amount);
    this.#giveBack(payment, invoice.amount - total(payable.map((leaf) => leaf.amount)));
    const to = payable.length > 0 ? 'paid' : 'cancelled';
    for (const each of new Set([invoice, ...payable])) each.become(to, payment.reference);
  }

  #fall(payment: BookPayment, stands: bigint, reported: bigint, closed: readonly BookRefund[]): void {
    if (reported === 0n || stands === 0n) {
      for (const refund of this.waiting(payment)) refund.state = 'done';
      payment.surplus = 0n;
      this.#release(
        payment,
        [...payment.shares.keys()].map((leaf) => [leaf, 0n]),
      );
      if (stands < 0n) payment.hold('twice');
      return;
    }
    if (stands < 0n) {
      payment.hold('twice');
      return;
    }
    const missing = payment.booked - stands;
    const ours = closed.filter((refund) => refund.payment === payment && refund.state === 'waiting');
    if (ours.length > 0 && total(ours.map(({ amount }) => amount)) === missing) {
      this.payBack(payment, ours);
      return;
    }
    if (
      addsUp(
        this.waiting(payment).map(({ amount }) => amount),
        missing,
      )
    )
      throw new Error(`${missing} of ${payment.reference} went back as we had asked, and nobody noticed`);
    payment.hold('reduction');
  }

  payBack(payment: BookPayment, refunds: readonly BookRefund[]): void {
    const shares = new Map(payment.shares);
    for (const refund of refunds) {
      refund.state = 'done';
      if (refund.invoice) shares.set(refund.invoice, (shares.get(refund.invoice) ?? 0n) - refund.amount);
      else payment.surplus -= refund.amount;
    }
    this.#release(payment, [...shares]);
  }

  /** What a payment had paid for and does no longer reads refunded; a bulk invoice with the last of its parts. */
  #release(payment: BookPayment, shares: readonly (readonly [BookInvoice, bigint])[]): void {
    for (const [leaf, booked] of shares) payment.shares.set(leaf, booked);
    if ([...payment.shares.values(), payment.surplus].some((amount) => amount < 0n))
      throw new Error(`more of ${payment.reference} went back than there was`);
    const gone = [...payment.shares].filter(([, booked]) => booked === 0n).map(([leaf]) => leaf);
    const whole = gone.length > 0 && gone.length === payment.shares.size ? [payment.invoice] : [];
    for (const each of new Set([...whole, ...gone]))
      if (each?.status === 'paid' && each.paidBy === payment.reference)
        each.become('refunded', payment.reference);
    payment.reversed ||= payment.booked === 0n;
  }

  /** A payment outside the provider; false where the table does not allow it. */
  payElsewhere(invoice: BookInvoice): boolean {
    if (!invoice.payable || !invoice.leaves.every((leaf) => leaf.payable)) return false;
    const payment = new BookPayment(`elsewhere-${invoice.number}`, true);
    Object.assign(payment, { invoice, state: 'settled', standing: invoice.amount });
    this.payments.set(payment.reference, payment);
    this.settle(payment, invoice);
    return true;
  }

  returnExternally(invoice: BookInvoice): boolean {
    const payment = this.payments.get(invoice.paidBy ?? '');
    if (invoice.status !== 'paid' || !payment) return false;
    const goesBack = ({ invoice: of }: BookRefund) => of !== null && invoice.leaves.includes(of);
    if (this.waiting(payment).some(goesBack)) return false;
    const shares = [...payment.shares].filter(([leaf]) => invoice.leaves.includes(leaf));
    const amount = total(shares.map(([, booked]) => booked));
    if (payment.elsewhere) payment.standing -= amount;
    else payment.returned += amount;
    if (payment.elsewhere && payment.standing === 0n) payment.state = 'refunded';
    this.#release(
      payment,
      shares.map(([leaf]) => [leaf, 0n]),
    );
    return true;
  }

  become(invoice: BookInvoice, to: Status): boolean {
    if (to === 'paid') return this.payElsewhere(invoice);
    if (to === 'refunded') return this.returnExternally(invoice);
    if (!may(invoice.status, to)) return false;
    invoice.become(to, null);
    return true;
  }

  /** What an operator orders back through the provider; false where there is nothing of the provider's to order. */
  refundInvoice(invoice: BookInvoice): boolean {
    const payment = this.payments.get(invoice.paidBy ?? '');
    if (invoice.status !== 'paid' || !payment || payment.elsewhere) return false;
    const shares = [...payment.shares].filter(
      ([leaf, booked]) => invoice.leaves.includes(leaf) && booked > 0n,
    );
    const under = this.waiting(payment);
    if (shares.some(([leaf]) => under.some((refund) => refund.invoice === leaf))) return false;
    for (const [leaf, booked] of shares.toSorted(([a], [b]) => a.number - b.number))
      this.order(payment, leaf, booked);
    return true;
  }

  resolve(payment: BookPayment, kind: Hold, resolution: Resolution): boolean {
    if (!RESOLUTIONS[kind].includes(resolution)) return false;
    const done =
      kind === 'refund' ? this.#judgeRefusal(payment, resolution) : this.#judge(payment, resolution);
    if (!done) return false;
    payment.holds.delete(kind);
    return true;
  }

  /** Orders a refund again, but never more than is left of its purpose. */
  #judgeRefusal(payment: BookPayment, resolution: Resolution): boolean {
    if (resolution === 'dismiss') return true;
    const again = this.refunds.filter((each) => each.payment === payment && each.state === 'refused');
    const possible = again.toReversed().filter((refund) => {
      const left = this.#leftFor(refund);
      if (left <= 0n) return false;
      refund.amount = refund.amount < left ? refund.amount : left;
      refund.state = 'waiting';
      return true;
    });
    return possible.length > 0;
  }

  #leftFor({ payment, invoice }: BookRefund): bigint {
    const left = invoice ? (payment.shares.get(invoice) ?? 0n) : payment.surplus;
    const others = this.waiting(payment).filter((each) => each.invoice === invoice);
    return left - total(others.map((each) => each.amount));
  }

  #judge(payment: BookPayment, resolution: Resolution): boolean {
    const reported = payment.stands;
    const stands = reported === undefined ? payment.booked : reported - payment.returned;
    if (resolution === 'refund') {
      if (stands <= payment.booked) return false;
      this.#giveBack(payment, stands - payment.booked);
    }
    if (resolution === 'accept') {
      const [leaf, ...others] = payment.invoice?.leaves ?? [];
      if (!leaf || others.length > 0 || stands <= 0n || this.waiting(payment).length > 0) return false;
      const rest = stands - (payment.shares.get(leaf) ?? 0n);
      if (payment.surplus > rest) payment.surplus = rest > 0n ? rest : 0n;
      payment.shares.set(leaf, stands - payment.surplus);
      if (leaf.payable && stands > payment.surplus) leaf.become('paid', payment.reference);
    }
    payment.judged = reported;
    return true;
  }
}

/** Whether some of the amounts come to a sum. */
function addsUp(amounts: readonly bigint[], sum: bigint): boolean {
  const reached = new Set([0n]);
  for (const amount of amounts) for (const each of [...reached]) reached.add(each + amount);
  return sum > 0n && reached.has(sum);
}
