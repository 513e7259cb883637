import { RateLimiter, type RateLimits } from '../../platform/concurrency/rate-limiter.ts';
import type { Counts } from './process-messages.ts';

type Key = string | number;

const REPORT_INTERVAL_MS = 100;

/**
 * Limits that several processes share: each tells the others what it has counted, ten times a second. A client has one
 * connection or many, so a share of the limit for each process would refuse the one and allow the other.
 */
export class SharedRateLimits implements RateLimits {
  readonly #limiters = new Map<string, RateLimiter<Key>>();
  readonly #unreported = new Map<string, Map<Key, number>>();
  readonly #timer: NodeJS.Timeout;

  constructor(report: (counts: Counts) => void) {
    this.#timer = setInterval(() => {
      const counts = this.#takeUnreported();
      if (counts.length > 0) report(counts);
    }, REPORT_INTERVAL_MS).unref();
  }

  limiter(name: string, limit: number, windowMs?: number): RateLimiter<Key> {
    const counts = new Map<Key, number>();
    const onTake = (key: Key, count: number) => void counts.set(key, (counts.get(key) ?? 0) + count);
    const limiter = new RateLimiter<Key>(limit, { windowMs, onTake });
    this.#unreported.set(name, counts);
    this.#limiters.set(name, limiter);
    return limiter;
  }

  /** Counts what other processes have reported. */
  add(counts: Counts): void {
    for (const [name, key, count] of counts) this.#limiters.get(name)?.add(key, count);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #takeUnreported(): Counts {
    const all = [...this.#unreported].flatMap(([name, counts]) =>
      Array.from(counts, ([key, count]) => [name, key, count] as const),
    );
    for (const counts of this.#unreported.values()) counts.clear();
    return all;
  }
}
