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
  /** How long one attempt may take: a question, and an order to do something. */
  readonly questionMs: number;
  readonly orderMs: number;
  /** How often a question is asked again, and how soon. */
  readonly askedAgain: number;
  readonly pauseMs: number;
  /** After so many failures in a row nothing is asked for a while; then one call finds out. */
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
 * How often a provider is asked who does not answer. Only questions are repeated: an order that was not answered may
 * have been carried out. All calls share one breaker, since they share one provider.
 */
export function withCircuitBreaker(patience: ProviderRetryPolicy): {
  readonly reading: Call;
  readonly writing: Call;
} {
  const unavailable = handleType(ProviderUnavailable);
  const breaker = circuitBreaker(unavailable, {
    breaker: new ConsecutiveBreaker(patience.failuresInRow),
    halfOpenAfter: patience.restMs,
  });
  const again = retry(unavailable, {
    maxAttempts: patience.askedAgain,
    backoff: new ExponentialBackoff({ initialDelay: patience.pauseMs }),
  });
  const repeated = wrap(again, breaker);
  return {
    reading: (work) => repeated.execute(work).catch(atRest),
    writing: (work) => breaker.execute(work).catch(atRest),
  };
}

function atRest(error: unknown): never {
  if (error instanceof BrokenCircuitError)
    throw new ProviderUnavailable('The provider has not answered lately and is left alone for a moment.');
  throw error;
}
