import type { Config } from '../platform/config/config.ts';
import type { Policy } from '../policy/policy.ts';
import { type ClientLimiters, LookupLimits } from '../registry/lookup/lookup-limits.ts';
import type { RateLimits } from './processes/shared-rate-limits.ts';

/** A network has many readers, and a crawler many addresses. */
const NETWORK_FACTOR = 10;

/** Of all look-ups of a process, so that RDAP, WHOIS and the page share them. */
export const lookupLimits = (
  { lookupsPerMinute }: Pick<Config, 'lookupsPerMinute'>,
  rateLimits: RateLimits,
): LookupLimits =>
  new LookupLimits({
    perAddress: rateLimits.limiter('look-ups of addresses', lookupsPerMinute),
    perNetwork: rateLimits.limiter('look-ups of networks', NETWORK_FACTOR * lookupsPerMinute),
  });

const DAY_MS = 86_400_000;

/**
 * Of messages to registrants. They are counted in memory only: a list of who wrote when would be personal data.
 */
export const messageLimiters = (
  { lookup: { messagesPerAddress, messagesPerNetwork } }: Pick<Policy, 'lookup'>,
  rateLimits: RateLimits,
): ClientLimiters => ({
  perAddress: rateLimits.limiter('messages of addresses', messagesPerAddress, DAY_MS),
  perNetwork: rateLimits.limiter('messages of networks', messagesPerNetwork, DAY_MS),
});
