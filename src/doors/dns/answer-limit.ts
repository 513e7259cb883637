import { addressBucket } from '../../platform/values/ip-addresses.ts';

/** More than a person with dig, or a secondary whose key is wrong, can notice. */
const MAX_ANSWERS_PER_SECOND = 20;
const WINDOW_MS = 1_000;
/** Addresses that share one by chance share the limit; neither has authenticated. */
const COUNTERS = 65_536;

/**
 * Limits answers over UDP to requests without a valid signature, by address: their senders may be forged, and the
 * answers then hit somebody else. Its size does not depend on the number of addresses.
 */
export class AnswerLimit {
  readonly #max: number;
  readonly #counts = new Uint16Array(COUNTERS);
  #windowEnd = 0;

  constructor(max = MAX_ANSWERS_PER_SECOND) {
    this.#max = max;
  }

  /** Counts one answer, and returns whether it may be sent. */
  take(address: string, now = performance.now()): boolean {
    if (now >= this.#windowEnd) {
      this.#counts.fill(0);
      this.#windowEnd = now + WINDOW_MS;
    }
    const index = indexOf(addressBucket(address));
    const count = this.#counts[index] ?? 0;
    if (count >= this.#max) return false;
    this.#counts[index] = count + 1;
    return true;
  }
}

/** FNV-1a. */
function indexOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (COUNTERS - 1);
}
