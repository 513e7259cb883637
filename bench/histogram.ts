const STEP = 1.02; // each bucket is two per cent wider than the one before
const LEAST_MS = 0.01;
const BUCKETS = 800; // up to a minute

/** How long the answers took, in buckets of two per cent: constant memory, whatever the rate. */
export class Histogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;

  /** All of them as one. */
  static of(histograms: readonly Histogram[]): Histogram {
    const all = new Histogram();
    for (const histogram of histograms) all.#include(histogram);
    return all;
  }

  #include(other: Histogram): void {
    for (const [bucket, count] of other.#counts.entries())
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    this.#total += other.#total;
  }

  add(milliseconds: number): void {
    const wanted = Math.ceil(Math.log(Math.max(milliseconds, LEAST_MS) / LEAST_MS) / Math.log(STEP));
    const bucket = Math.min(wanted, BUCKETS - 1);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#total += 1;
  }

  /** The time within which this share of the answers came. */
  quantile(share: number): number {
    let left = Math.ceil(this.#total * share);
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return LEAST_MS * STEP ** bucket;
    }
    return Number.NaN;
  }
}
