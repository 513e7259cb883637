import { setTimeout as sleep } from 'node:timers/promises';
import { withoutDeadline } from '../../platform/work-scope.ts';
import { type PollDependencies, pollPayment, pollUnknownPayments } from './poll-provider.ts';

/** Beyond this many concurrent polls a callback is only recorded, and the worker polls for it. */
const MAX_CONCURRENT_POLLS = 16;

/** Polls the provider right after a callback, without delaying the callback's response. */
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

  /** A callback during a poll of the same payment is not lost: it makes the payment due again after that poll. */
  readonly pollSoon = (reference: string): void => {
    if (this.#underWay.has(reference) || this.#underWay.size >= MAX_CONCURRENT_POLLS) return;
    const polling = withoutDeadline(() => pollPayment(this.#parts, reference))
      .catch((error: unknown) =>
        this.#parts.log.error({ err: error, payment: reference }, 'a payment poll failed'),
      )
      .finally(() => this.#underWay.delete(reference));
    this.#underWay.set(reference, polling);
  };

  /** Polls the next unknown references in the queue, within the rate limit. */
  readonly pollUnknownSoon = (): void => {
    this.#unknownCame = true;
    this.#unknown ??= withoutDeadline(() => this.#pollUnknownPayments()).finally(() => {
      this.#unknown = undefined;
    });
  };

  async #pollUnknownPayments(): Promise<void> {
    while (this.#unknownCame) {
      this.#unknownCame = false;
      await pollUnknownPayments(this.#parts, this.#unknownPerSecond).catch((error: unknown) =>
        this.#parts.log.error({ err: error }, 'a poll of unknown payments failed'),
      );
      // The rate limit allows the next poll after this time; claiming earlier would cost one statement per callback.
      await sleep(1000 / this.#unknownPerSecond, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  /** Resolves once no poll is running; queued unknown payments are left to other processes. */
  async settled(): Promise<void> {
    this.#closing.abort();
    this.#unknownCame = false;
    await Promise.all([...this.#underWay.values(), this.#unknown]);
  }
}
