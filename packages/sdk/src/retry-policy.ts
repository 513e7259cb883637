/** How often a call is repeated, and after which waits. docs/integrate/retrying.md is the specification. */
export type RetryPolicy = {
  /** Repetitions after the first attempt; 0 for none. */
  readonly retries: number;
  /** The first wait; each further one is twice as long. */
  readonly firstWaitMs: number;
  /** The longest wait. If the registry asks for a longer one, the call fails at once. */
  readonly maxWaitMs: number;
};

export const DEFAULT_RETRY_POLICY: RetryPolicy = { retries: 4, firstWaitMs: 1_000, maxWaitMs: 60_000 };

/** Up to half of a wait is added at random, so that clients that failed together do not return together. */
const JITTER = 0.5;

/** The wait before the next attempt; undefined if there is to be none. */
export function waitBefore(
  policy: RetryPolicy,
  {
    attempts,
    retryAfterSeconds = 0,
  }: { readonly attempts: number; readonly retryAfterSeconds?: number | undefined },
  random: number = Math.random(),
): number | undefined {
  if (attempts > policy.retries) return undefined;
  const asked = retryAfterSeconds * 1_000;
  if (asked > policy.maxWaitMs) return undefined;
  const backoff = policy.firstWaitMs * 2 ** (attempts - 1) * (1 + JITTER * random);
  // Above what was asked for, never below it.
  return Math.max(asked + policy.firstWaitMs * JITTER * random, Math.min(backoff, policy.maxWaitMs));
}

/** Statuses after which the same request is sent again; 502 and 504 are of proxies that got no answer. */
export const isRepeatable = (status: number): boolean => [429, 500, 502, 503, 504].includes(status);

/** Failures that no repetition mends: of TLS about the certificates of either side, and answers that are too large. */
const PERMANENT =
  /^(?:ERR_ANSWER_TOO_LARGE$|ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_INVALID_)/;

export const isPermanent = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && 'code' in error && typeof error.code === 'string' && PERMANENT.test(error.code));
