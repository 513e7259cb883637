import { isLaterSerial } from '../zones/serial.ts';

type Options = {
  /** What the secondary has. */
  readonly has: (secondary: string, zone: string, serial: number) => void;
  /** It asks, but has not told what it has. */
  readonly asks: (secondary: string, zone: string) => void;
};
type Progress = { delivered: number; failures: number; isRepeated: boolean; askedAt: number };
export type Delivery = {
  readonly secondary: string;
  readonly zone: string;
  readonly serial: number;
  /** The serial that it had, by its own words; undefined if it asked for the whole zone. */
  readonly from?: number;
};

/** One transfer may be repeated for other reasons, such as an operator's command. */
const MAX_FAILURES = 2;
const ASKED_INTERVAL_MS = 60_000;

/**
 * What secondaries have, from what they say and from what was delivered to them. A delivery is not believed when the
 * secondary goes on asking for what it was given: it receives transfers and cannot use them.
 */
export class SecondaryProgress {
  readonly #options: Options;
  readonly #progress = new Map<string, Progress>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** With IXFR a secondary tells its serial. */
  said(secondary: string, zone: string, serial: number): void {
    const progress = this.#of(secondary, zone);
    progress.failures = isLaterSerial(progress.delivered, serial) ? progress.failures + 1 : 0;
    this.#options.has(secondary, zone, serial);
  }

  /** A question for the SOA does not tell which serial a secondary has. */
  asked(secondary: string, zone: string): void {
    const progress = this.#of(secondary, zone);
    const now = performance.now();
    if (now - progress.askedAt < ASKED_INTERVAL_MS) return;
    progress.askedAt = now;
    this.#options.asks(secondary, zone);
  }

  delivered({ secondary, zone, serial, from }: Delivery): void {
    const progress = this.#of(secondary, zone);
    if (from === undefined) {
      const isRepeated = progress.delivered === serial;
      // It asks for whole zones only; the one before was taken, if it did not ask for it again.
      if (isRepeated) progress.failures += 1;
      else if (!progress.isRepeated) progress.failures = 0;
      progress.isRepeated = isRepeated;
    }
    progress.delivered = serial;
    if (progress.failures < MAX_FAILURES) this.#options.has(secondary, zone, serial);
  }

  #of(secondary: string, zone: string): Progress {
    const key = `${zone} ${secondary}`;
    const known = this.#progress.get(key);
    if (known) return known;
    const progress = { delivered: Number.NaN, failures: 0, isRepeated: false, askedAt: -Infinity };
    this.#progress.set(key, progress);
    return progress;
  }
}
