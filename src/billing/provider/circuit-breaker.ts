import { ProviderUnavailable } from './provider.ts';

export type ProviderRetryPolicy = {
  /** Timeout of one attempt: of a read, and of a write. */
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  /** Number of retries of a read, and the initial delay. */
  readonly readRetries: number;
  readonly retryDelayMs: number;
  /** The breaker opens after this many consecutive failures; after `resetTimeoutMs` one call tests the provider. */
  readonly failureThreshold: number;
  readonly resetTimeoutMs: number;
};

export const DEFAULT_RETRY_POLICY: ProviderRetryPolicy = {
  readTimeoutMs: 3_000,
  writeTimeoutMs: 10_000,
  readRetries: 2,
  retryDelayMs: 200,
  failureThreshold: 6,
  resetTimeoutMs: 5_000,
};

type Call = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Retries and circuit breaker for provider calls. Only reads are retried: a write without an answer may have been
 * carried out. All calls share one breaker, since they share one provider.
 */
export function withCircuitBreaker(policy: ProviderRetryPolicy): {
  readonly reading: Call;
  readonly writing: Call;
} {
  let opened: ReturnType<typeof openBreaker> | undefined;
  const open = () => {
    opened ??= openBreaker(policy);
    return opened;
  };
  return {
    reading: async (work) => (await open()).reading(work),
    writing: async (work) => (await open()).writing(work),
  };
}

/** Imported lazily: a process that nobody pays through needs none of it. */
async function openBreaker(policy: ProviderRetryPolicy): Promise<{ reading: Call; writing: Call }> {
  const {
    BrokenCircuitError,
    ConsecutiveBreaker,
    circuitBreaker,
    ExponentialBackoff,
    handleType,
    retry,
    wrap,
  } = await import('cockatiel');
  const unavailable = handleType(ProviderUnavailable);
  const breaker = circuitBreaker(unavailable, {
    breaker: new ConsecutiveBreaker(policy.failureThreshold),
    halfOpenAfter: policy.resetTimeoutMs,
  });
  const retrying = retry(unavailable, {
    maxAttempts: policy.readRetries,
    backoff: new ExponentialBackoff({ initialDelay: policy.retryDelayMs }),
  });
  const retried = wrap(retrying, breaker);
  const rethrowAsUnavailable = (error: unknown): never => {
    if (error instanceof BrokenCircuitError)
      throw new ProviderUnavailable('The provider has not answered lately and is left alone for a moment.');
    throw error;
  };
  return {
    reading: (work) => retried.execute(work).catch(rethrowAsUnavailable),
    writing: (work) => breaker.execute(work).catch(rethrowAsUnavailable),
  };
}
