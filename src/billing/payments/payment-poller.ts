import { setTimeout as sleep } from 'node:timers/promises';
import { withoutDeadline } from '../../platform/concurrency/deadline.ts';
import { type PollDependencies, pollPayment, pollUnknownPayments } from './poll-provider.ts';

/** Beyond so many questions at once whoever calls is written down, and asked about by the worker. */
const MAX_CONCURRENT_POLLS = 16;

/** Asks the provider as soon as somebody has called, without letting him wait. */
export class PaymentPoller {
  readonly #parts: PollDependencies;
  readonly #unknownPerSecond: number;
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #closing = new AbortController();
  #unknown: Promise<void> | undefined;
  #unknownCame = false;

  constructor(parts: PollDependencies, unknownPerSecond: number) {
    this.#parts = parts;
    this.#unknownPerSecond = unknownPerSecond;
  }

  /** What comes while a question about the same payment is under way is due when that has ended. */
  readonly pollSoon = (reference: string): void => {
    if (this.#underWay.has(reference) || this.#underWay.size >= MAX_CONCURRENT_POLLS) return;
    const asked = withoutDeadline(() => pollPayment(this.#parts, reference))
      .catch((error: unknown) =>
        this.#parts.log.error({ err: error, payment: reference }, 'a question failed'),
      )
      .finally(() => this.#underWay.delete(reference));
    this.#underWay.set(reference, asked);
  };

  /** A reference that only its caller knows: whichever of them is next is asked about, as far as the rate allows. */
  readonly askUnknownSoon = (): void => {
    this.#unknownCame = true;
    this.#unknown ??= withoutDeadline(() => this.#pollUnknownPayments()).finally(() => {
      this.#unknown = undefined;
    });
  };

  async #pollUnknownPayments(): Promise<void> {
    while (this.#unknownCame) {
      this.#unknownCame = false;
      await pollUnknownPayments(this.#parts, this.#unknownPerSecond).catch((error: unknown) =>
        this.#parts.log.error({ err: error }, 'a question about an unknown payment failed'),
      );
      // The rate grants the next question after this time. To claim it earlier would cost a statement per callback.
      await sleep(1000 / this.#unknownPerSecond, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  /** Resolves once nothing is under way; unknown payments that still wait are left to the others. */
  async settled(): Promise<void> {
    this.#closing.abort();
    this.#unknownCame = false;
    await Promise.all([...this.#underWay.values(), this.#unknown]);
  }
}
