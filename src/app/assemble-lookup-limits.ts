import type { RateLimits } from '../platform/concurrency/rate-limiter.ts';
import type { Config } from '../platform/config/config.ts';
import { LookupLimits } from '../registry/lookup/lookup-limits.ts';

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
