import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Oneoff,
  type OneoffOrder,
  type PaymentProvider,
  type ProviderPayment,
  ProviderRefused,
  ProviderUnavailable,
  type RefundOrder,
} from '../../../src/billing/provider/provider.ts';

/**
 * How the provider meets a call: it fails before or after doing, is slow, tells what is old by then, tells it when nobody
 * waits for it any more, says no, or says yes and does nothing yet.
 */
export type Manner = 'well' | 'away' | 'lost' | 'slow' | 'stale' | 'late' | 'refuse' | 'take';

export type ProviderRecord = {
  readonly reference: string;
  readonly orderReference: string;
  readonly account: string;
  state: string;
  initial: bigint;
  standing: bigint;
  /** How often it changed, and which of these versions somebody was called about. */
  version: number;
  calledAbout: number;
  /** Nothing but a payer and our own refunds ever moved it. */
  calm: boolean;
  refunded: bigint;
};

const REFUNDABLE = new Set(['settled', 'refunded', 'partially_refunded']);
const SLOW_MS = 4;
export const OUR_ACCOUNT = 'EUR-model';

/** A provider in memory. Each of its answers has a number, by which it is known again in our books. */
export class ScriptedProvider implements PaymentProvider {
  readonly accountName = OUR_ACCOUNT;
  readonly payments = new Map<string, ProviderRecord>();
  readonly answers: ProviderPayment[] = [];
  /** Orders by nonce: those that it refused, those that it accepted, those that it carried out. */
  readonly refused = new Set<string>();
  readonly taken = new Map<string, RefundOrder>();
  readonly done = new Map<string, RefundOrder>();
  script: Manner[] = [];
  /** Whether the caller is still alive; throws where not. */
  readonly #alive: () => void;
  /** What happens between its reading and its answer, where it is slow. */
  meanwhile: (record: ProviderRecord, manner: 'stale' | 'late') => Promise<void> = async () => {};

  constructor(alive: () => void) {
    this.#alive = alive;
  }

  forget(): void {
    for (const kept of [this.payments, this.refused, this.taken, this.done]) kept.clear();
    this.answers.length = 0;
    this.script = [];
  }

  add(orderReference: string, amount: bigint, state: string, account = OUR_ACCOUNT): ProviderRecord {
    const record = {
      ...{ reference: `pay_${this.payments.size + 1}`, orderReference, account, state },
      ...{ initial: amount, standing: amount, version: 1, calledAbout: 0, calm: true, refunded: 0n },
    };
    this.payments.set(record.reference, record);
    return record;
  }

  async payment(reference: string): Promise<ProviderPayment | undefined> {
    const manner = this.#meet();
    const record = this.payments.get(reference);
    const answer = record && this.#tell(record);
    if (record && (manner === 'stale' || manner === 'late')) await this.meanwhile(record, manner);
    return this.#answer(manner, answer);
  }

  async oneoff({ amount, orderReference }: OneoffOrder): Promise<Oneoff> {
    const manner = this.#meet();
    if (manner === 'refuse') throw new ProviderRefused(4000, 'no');
    const { reference, state } = this.add(orderReference, amount, 'initial');
    return this.#answer(manner, { reference, state, link: `https://pay.example/${reference}` });
  }

  async refund(order: RefundOrder): Promise<ProviderPayment> {
    const manner = this.#meet();
    const record = this.payments.get(order.reference);
    if (!record) throw new ProviderRefused(4004, 'there is no such payment');
    const why = manner === 'refuse' ? 'no' : this.#whyNot(record, order);
    if (why !== undefined) {
      this.refused.add(order.nonce);
      throw new ProviderRefused(4037, why);
    }
    if (manner === 'take') this.taken.set(order.nonce, order);
    else this.#carryOut(record, order);
    const answer = this.#tell(record);
    if (manner === 'stale' || manner === 'late') await this.meanwhile(record, manner);
    return this.#answer(manner, answer);
  }

  link(): string {
    return 'https://pay.example/link';
  }

  /** What it accepted and has not carried out yet. */
  carryOutTaken(): ProviderRecord[] {
    const moved: ProviderRecord[] = [];
    for (const [nonce, order] of this.taken) {
      const record = this.payments.get(order.reference);
      if (!record || !REFUNDABLE.has(record.state) || record.standing < order.amount) continue;
      this.taken.delete(nonce);
      this.#carryOut(record, order);
      moved.push(record);
    }
    return moved;
  }

  #meet(): Manner {
    this.#alive();
    const manner = this.script.shift() ?? 'well';
    if (manner === 'away') throw new ProviderUnavailable('away');
    return manner;
  }

  #whyNot({ state, standing }: ProviderRecord, { amount, nonce }: RefundOrder): string | undefined {
    if (this.done.has(nonce) || this.taken.has(nonce)) return 'nonce was used before';
    if (!REFUNDABLE.has(state)) return `a payment that is ${state} cannot be refunded`;
    return standing < amount ? 'amount is more than the standing amount' : undefined;
  }

  #carryOut(record: ProviderRecord, order: RefundOrder): void {
    this.done.set(order.nonce, order);
    record.state = 'refunded';
    record.standing -= order.amount;
    record.refunded += order.amount;
    record.version++;
  }

  #tell(record: ProviderRecord): ProviderPayment {
    const { reference, orderReference, state, initial, standing, account } = record;
    const answer = {
      ...{ reference, orderReference, state, initialAmount: initial, standingAmount: standing },
      ...{ accountName: account, answer: { serial: this.answers.length } },
    };
    this.answers.push(answer);
    return answer;
  }

  async #answer<T>(manner: Manner, answer: T): Promise<T> {
    if (manner === 'slow') await sleep(SLOW_MS);
    this.#alive();
    if (manner === 'lost') throw new ProviderUnavailable('lost');
    return answer;
  }
}
