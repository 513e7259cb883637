/** A wait that doubles with each failed attempt. */
export type Backoff = {
  readonly firstMs: number;
  readonly maxMs: number;
  /** The share by which a wait is shorter or longer, so that what failed together does not come back together. */
  readonly jitter?: number;
};

/** The wait after this many attempts, of which each has failed. */
export const backoffMs = (
  { firstMs, maxMs, jitter = 0 }: Backoff,
  attempts: number,
  random = Math.random(),
): number => Math.min(firstMs * 2 ** (attempts - 1), maxMs) * (1 + jitter * (2 * random - 1));

/** The longest wait, with its jitter. */
export const maxBackoffMs = ({ maxMs, jitter = 0 }: Backoff): number => maxMs * (1 + jitter);

export type Retried = {
  /** Made so far. */
  readonly attempts: number;
  /** For ever if left out. */
  readonly tryUntil?: Date;
};

/** When it is tried again, the last time at the end of its time; undefined once that is over. */
export function nextAttempt(
  backoff: Backoff,
  { attempts, tryUntil }: Retried,
  now: Date,
  { minMs = 0, random }: { readonly minMs?: number | undefined; readonly random?: number } = {},
): Date | undefined {
  if (tryUntil && now >= tryUntil) return undefined;
  const at = now.getTime() + Math.max(backoffMs(backoff, attempts, random), minMs);
  return new Date(tryUntil ? Math.min(at, tryUntil.getTime()) : at);
}
