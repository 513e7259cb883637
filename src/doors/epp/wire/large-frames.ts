import { ByteBudget } from '../../../platform/concurrency/byte-budget.ts';
import { type Receipt, ReceiveBudget } from '../../../platform/concurrency/receive-budget.ts';

/** Of all registrars: more than three frames of the greatest length. */
const MAX_BYTES = 40 * 1024 * 1024;

type Listener = {
  /** It is its turn: from now on it may be received. */
  readonly begin: () => void;
  /** Its connection is needed for smaller frames of others. */
  readonly refused: () => void;
};

/** A frame that takes memory, from its first bytes until it is answered. */
export type LargeFrame = {
  /** False if it has been refused. */
  add(bytes: number): boolean;
  /** The whole frame is there, and is not refused any more. */
  complete(): void;
  end(): void;
};

/**
 * The large frames that are being received: one of each registrar at a time, while its others are not read. If those of
 * all registrars are too much, the largest is refused.
 */
export class LargeFrames {
  readonly #turns = new ByteBudget<string>(Number.POSITIVE_INFINITY);
  readonly #budget: ReceiveBudget;

  constructor(maxBytes = MAX_BYTES) {
    const share = { perSender: Number.POSITIVE_INFINITY, inAll: maxBytes };
    this.#budget = new ReceiveBudget({ known: share, strangers: share });
  }

  receive(registrar: string, { begin, refused }: Listener): LargeFrame {
    let receipt: Receipt | undefined;
    let release: (() => void) | undefined;
    let isOver = false;
    const receiveUntilEnd = () =>
      new Promise<void>((resolve) => {
        if (isOver) return resolve();
        release = resolve;
        receipt = this.#budget.begin({ key: registrar, isStranger: false }, refused);
        begin();
      });
    void this.#turns.run(registrar, 0, receiveUntilEnd);
    return {
      add: (bytes) => receipt?.add(bytes) ?? true,
      complete: () => receipt?.complete(),
      end: () => {
        isOver = true;
        receipt?.end();
        release?.();
      },
    };
  }
}
