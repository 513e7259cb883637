import type { RateLimits } from '../../../platform/concurrency/rate-limiter.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { ClientLimiters, LookupLimits } from '../../../registry/lookup/lookup-limits.ts';
import type { HttpDoorDependencies, OpenDoor } from '../../door.ts';
import { lookupPages } from './lookup-routes.ts';

type Dependencies = HttpDoorDependencies & { readonly lookups: LookupLimits };

/** The look-up for people. */
export async function startLookup(parts: Dependencies): Promise<OpenDoor> {
  const { app, config, policy, lookups, rateLimits, origin } = parts;
  const pages = lookupPages({
    ...parts,
    mode: config.mode,
    limits: lookups,
    messageLimiters: messageLimiters(policy, rateLimits),
    publicUrl: () => origin.urlForPeople,
    isOwnOrigin: (given, host) => origin.isOwn(given, host),
  });
  await app.register(pages, { prefix: '/lookup' });
  return {};
}

const DAY_MS = 86_400_000;

/**
 * Of messages to registrants. They are counted in memory only: a list of who wrote when would be personal data.
 */
const messageLimiters = (
  { lookup: { messagesPerAddress, messagesPerNetwork } }: Pick<Policy, 'lookup'>,
  rateLimits: RateLimits,
): ClientLimiters => ({
  perAddress: rateLimits.limiter('messages of addresses', messagesPerAddress, DAY_MS),
  perNetwork: rateLimits.limiter('messages of networks', messagesPerNetwork, DAY_MS),
});
