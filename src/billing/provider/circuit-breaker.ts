import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleType,
  retry,
  wrap,
} from 'cockatiel';
import { ProviderUnavailable } from './provider.ts';

export type ProviderRetryPolicy = {
  /** Timeout of one attempt: of a read, and of a write. */
  readonly questionMs: number;
  readonly orderMs: number;
  /** Number of retries of a read, and the initial delay. */
  readonly askedAgain: number;
  readonly pauseMs: number;
  /** The breaker opens after this many consecutive failures; after `restMs` one call tests the provider. */
  readonly failuresInRow: number;
  readonly restMs: number;
};

export const DEFAULT_RETRY_POLICY: ProviderRetryPolicy = {
  questionMs: 3_000,
  orderMs: 10_000,
  askedAgain: 2,
  pauseMs: 200,
  failuresInRow: 6,
  restMs: 5_000,
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
  const unavailable = handleType(ProviderUnavailable);
  const breaker = circuitBreaker(unavailable, {
    breaker: new ConsecutiveBreaker(policy.failuresInRow),
    halfOpenAfter: policy.restMs,
  });
  const retrying = retry(unavailable, {
    maxAttempts: policy.askedAgain,
    backoff: new ExponentialBackoff({ initialDelay: policy.pauseMs }),
  });
  const retried = wrap(retrying, breaker);
  return {
    reading: (work) => retried.execute(work).catch(rethrowAsUnavailable),
    writing: (work) => breaker.execute(work).catch(rethrowAsUnavailable),
  };
}

function rethrowAsUnavailable(error: unknown): never {
  if (error instanceof BrokenCircuitError)
    throw new ProviderUnavailable('The provider has not answered lately and is left alone for a moment.');
  throw error;
}
