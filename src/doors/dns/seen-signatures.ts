import { isExpired } from './tsig.ts';
import type { Times, Tsig } from './tsig-record.ts';

/** A key that transfers five zones three times a second, for the ten minutes that a signature can be valid. */
const MAX_SIGNATURES_PER_KEY = 10_000;

/**
 * The signatures of requests for transfers, by key, as long as they are valid: a request that was recorded on the way
 * must not start a transfer again. Each key has its own, so that a busy secondary displaces none of another.
 */
export class SeenSignatures {
  readonly #max: number;
  readonly #byKey = new Map<string, Map<string, Times>>();

  constructor(max = MAX_SIGNATURES_PER_KEY) {
    this.#max = max;
  }

  get size(): number {
    return [...this.#byKey.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** False if the signature was added before. */
  add(keyName: string, { mac, timeSigned, fudge }: Tsig, now: number): boolean {
    this.#deleteExpired(now);
    const seen = this.#byKey.get(keyName) ?? new Map<string, Times>();
    const text = mac.toString('base64');
    if (seen.has(text)) return false;
    if (seen.size >= this.#max) deleteOldest(seen);
    seen.set(text, { timeSigned, fudge });
    this.#byKey.set(keyName, seen);
    return true;
  }

  /** Those that were added first; one behind a longer valid one stays a little longer. */
  #deleteExpired(now: number): void {
    for (const [keyName, seen] of this.#byKey) {
      for (const [text, times] of seen) {
        if (!isExpired(times, now)) break;
        seen.delete(text);
      }
      if (seen.size === 0) this.#byKey.delete(keyName);
    }
  }
}

function deleteOldest(seen: Map<string, unknown>): void {
  const [oldest] = seen.keys();
  if (oldest !== undefined) seen.delete(oldest);
}
