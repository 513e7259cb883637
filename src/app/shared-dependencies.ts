import type { Billing } from '../billing/context.ts';
import type { PollDependencies } from '../billing/payments/poll-provider.ts';
import type { HttpDoorDependencies } from '../doors/door.ts';
import { type OpenHttp, openHttp } from '../doors/http/start.ts';
import { pathRewriter } from '../doors/registrar-api/compatibility/path-alias.ts';
import { malformedBody } from '../doors/registrar-api/render-refusals.ts';
import { ownRateLimits } from '../platform/concurrency/rate-limiter.ts';
import type { LookupLimits } from '../registry/lookup/lookup-limits.ts';
import { Availability, refusingClock } from './process-availability.ts';
import { assembleBilling } from './assemble-billing.ts';
import { lookupLimits } from './assemble-lookup-limits.ts';
import type { OpenDoors } from './open-doors.ts';
import type { ProductDependencies } from './product-dependencies.ts';
import { openRegistrarAccess, type RegistrarAccess } from './registrar-access.ts';

/** What the doors of a process share. Its clock refuses where it is wrong. */
export type SharedDependencies = ProductDependencies &
  HttpDoorDependencies &
  RegistrarAccess & {
    readonly server: OpenHttp;
    readonly availability: Availability;
    /** Of RDAP, WHOIS and the page together. */
    readonly lookups: LookupLimits;
    readonly billing: Billing & PollDependencies;
    readonly isStaging: () => boolean;
    /** Whether other processes listen on the same ports. */
    readonly isShared: boolean;
  };

/** Bulk calls get a timeout this many times longer. */
const BULK_FACTOR = 10;

/** Opens the HTTP server, which listens once the doors are its routes, and assembles what they share. */
export async function openShared(parts: ProductDependencies, open: OpenDoors): Promise<SharedDependencies> {
  const { config, origin, supervised } = parts;
  const clock = refusingClock(parts.clock);
  const rateLimits = supervised?.rateLimits ?? ownRateLimits;
  const access = openRegistrarAccess({ ...parts, clock }, rateLimits);
  const isShared = supervised !== undefined;
  const server = await openHttp({
    ...parts,
    isShared,
    malformed: malformedBody(),
    rewritePath: pathRewriter(config.registrarApiAlias),
    answered: ({ userId }, call, result) => access.calls.add({ userId, interface: 'http', call, result }),
  });
  open.add('http', server);
  const availability = await Availability.open({ ...parts, server });
  return {
    ...parts,
    ...access,
    clock,
    server,
    availability,
    app: server.app,
    authenticated: server.authenticated,
    refuseIfBusy: availability.refuseIfBusy,
    refuseIfUnavailable: availability.refuseIfUnavailable,
    bulkAnswerTimeoutMs: BULK_FACTOR * config.answerTimeoutMs,
    rateLimits,
    lookups: lookupLimits(config, rateLimits),
    billing: assembleBilling({ ...parts, clock }, () => origin.url),
    isStaging: parts.isStaging ?? (() => false),
    isShared,
  };
}
