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
 * How the provider handles a call: it fails before or after its effect, is slow, answers stale data, answers after the
 * timeout of the caller, refuses, or accepts and acts later.
 */
export type Behaviour = 'well' | 'away' | 'lost' | 'slow' | 'stale' | 'late' | 'refuse' | 'take';

export type ProviderRecord = {
  readonly reference: string;
  readonly orderReference: string;
  readonly account: string;
  state: string;
  initial: bigint;
  standing: bigint;
  /** The number of its changes, and the latest version that was reported by a callback. */
  version: number;
  calledAbout: number;
  /** Nothing but a payer and our own refunds ever moved it. */
  undisturbed: boolean;
  refunded: bigint;
};

const REFUNDABLE = new Set(['settled', 'refunded', 'partially_refunded']);
const SLOW_MS = 4;
export const OUR_ACCOUNT = 'EUR-model';

/** A provider in memory. Each of its answers has a number, by which our books identify it. */
export class ScriptedProvider implements PaymentProvider {
  readonly accountName = OUR_ACCOUNT;
  readonly payments = new Map<string, ProviderRecord>();
  readonly answers: ProviderPayment[] = [];
  /** Orders by nonce: those that it refused, those that it accepted, those that it carried out. */
  readonly refused = new Set<string>();
  readonly taken = new Map<string, RefundOrder>();
  readonly done = new Map<string, RefundOrder>();
  script: Behaviour[] = [];
  /** Throws where the caller is no longer alive. */
  readonly #alive: () => void;
  /** What happens between its reading and its answer, where it is slow. */
  meanwhile: (record: ProviderRecord, behaviour: 'stale' | 'late') => Promise<void> = async () => {};

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
      reference: `pay_${this.payments.size + 1}`,
      orderReference,
      account,
      state,
      initial: amount,
      standing: amount,
      version: 1,
      calledAbout: 0,
      undisturbed: true,
      refunded: 0n,
    };
    this.payments.set(record.reference, record);
    return record;
  }

  async payment(reference: string): Promise<ProviderPayment | undefined> {
    const behaviour = this.#nextBehaviour();
    const record = this.payments.get(reference);
    const answer = record && this.#tell(record);
    if (record && (behaviour === 'stale' || behaviour === 'late')) await this.meanwhile(record, behaviour);
    return this.#answer(behaviour, answer);
  }

  async oneoff({ amount, orderReference }: OneoffOrder): Promise<Oneoff> {
    const behaviour = this.#nextBehaviour();
    if (behaviour === 'refuse') throw new ProviderRefused(4000, 'no');
    const { reference, state } = this.add(orderReference, amount, 'initial');
    return this.#answer(behaviour, { reference, state, link: `https://pay.example/${reference}` });
  }

  async refund(order: RefundOrder): Promise<ProviderPayment> {
    const behaviour = this.#nextBehaviour();
    const record = this.payments.get(order.reference);
    if (!record) throw new ProviderRefused(4004, 'there is no such payment');
    const why = behaviour === 'refuse' ? 'no' : this.#whyNot(record, order);
    if (why !== undefined) {
      this.refused.add(order.nonce);
      throw new ProviderRefused(4037, why);
    }
    if (behaviour === 'take') this.taken.set(order.nonce, order);
    else this.#carryOut(record, order);
    const answer = this.#tell(record);
    if (behaviour === 'stale' || behaviour === 'late') await this.meanwhile(record, behaviour);
    return this.#answer(behaviour, answer);
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

  #nextBehaviour(): Behaviour {
    this.#alive();
    const behaviour = this.script.shift() ?? 'well';
    if (behaviour === 'away') throw new ProviderUnavailable('away');
    return behaviour;
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
      reference,
      orderReference,
      state,
      initialAmount: initial,
      standingAmount: standing,
      accountName: account,
      answer: { serial: this.answers.length },
    };
    this.answers.push(answer);
    return answer;
  }

  async #answer<T>(behaviour: Behaviour, answer: T): Promise<T> {
    if (behaviour === 'slow') await sleep(SLOW_MS);
    this.#alive();
    if (behaviour === 'lost') throw new ProviderUnavailable('lost');
    return answer;
  }
}
