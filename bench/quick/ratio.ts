/** A ratio of B to A over pairs of rounds: its median, and the interval in which that median lies. */
export type Ratio = { readonly middle: number; readonly low: number; readonly high: number };

const MAX_ERROR = 0.01;

/**
 * The interval is made of order statistics and holds the true median with a certainty of 99 %, however the figures are
 * distributed; with fewer than eight pairs that cannot be had, and it goes from the least to the greatest.
 */
export function ratioOf(ratios: readonly number[]): Ratio {
  const sorted = ratios.toSorted((one, other) => one - other);
  const at = (place: number) => sorted[place] ?? Number.NaN;
  const half = sorted.length / 2;
  const middle = (at(Math.ceil(half) - 1) + at(Math.floor(half))) / 2;
  const cut = pairsToCut(sorted.length);
  return { middle, low: at(cut), high: at(sorted.length - 1 - cut) };
}

/** How many pairs at either end lie outside of the interval: by the binomial distribution of a fair coin. */
function pairsToCut(pairs: number): number {
  let [chance, tail, cut] = [0.5 ** pairs, 0, 0];
  for (;;) {
    tail += chance;
    if (2 * tail > MAX_ERROR) return Math.max(0, cut - 1);
    chance *= (pairs - cut) / (cut + 1);
    cut += 1;
  }
}

/** B differs from A only where the whole interval lies on one side of one. */
export function verdict({ low, high }: Ratio, words: { below: string; above: string }): string {
  if (high < 1) return words.below;
  return low > 1 ? words.above : '';
}
