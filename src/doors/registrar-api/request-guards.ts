import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import type { Authenticator } from '../../registry/access/authenticator.ts';
import { type ApiUser, hasRight } from '../../registry/actor.ts';
import { isMisroutedBy, methodsByPath, refuseUnrouted } from '../http/allowed-methods.ts';
import type { FingerprintReader } from '../http/client-certificate.ts';
import { acceptsJson, mediaType } from '../http/negotiation.ts';
import { hasEnding } from './compatibility/path-alias.ts';
import { announceProfile } from './compatibility/profile.ts';
import type { RegistrarEndpoint } from './endpoint.ts';
import { PREFIX } from './prefix.ts';
import { refuse } from './registrar-api-refusals.ts';

type Dependencies = {
  readonly gatekeeper: Authenticator;
  readonly fingerprintOf: FingerprintReader;
  readonly rateLimiter: RequestLimiter<number>;
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
  readonly authenticated: (request: FastifyRequest) => void;
  readonly endpoints: readonly RegistrarEndpoint[];
};
export type GuardDependencies = Omit<Dependencies, 'endpoints'>;

/** The checks of every request before its body is read, in the document's order. */
export function requestGuard(guards: Dependencies) {
  const methodsOf = methodsByPath(guards.endpoints, PREFIX);
  const isMisrouted = isMisroutedBy(guards.endpoints, methodsOf);
  return (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void): void => {
    const check = (principal: ApiUser) => {
      request.principal = principal;
      announceProfile(principal, reply);
      guards.authenticated(request);
      requireRate(guards.rateLimiter, principal, reply); // 429
      if (hasEnding(request) && !principal.compatibility) refuse('unknownPath'); // 404
      const isUnrouted = request.is404 || hasEmptyParameter(request) || isMisrouted(request);
      if (isUnrouted || isOfProfileOnly(request, principal)) refuseUnrouted(methodsOf, request, reply); // 404, 405
      requireJson(request, principal); // 406, 418
      const { right } = request.routeOptions.config;
      if (right && !hasRight(principal, right)) refuse('notAllowed'); // 403
    };
    try {
      guards.refuseIfUnavailable(request); // 503
      const { authorization } = request.headers;
      const visitor = { address: request.ip, fingerprint: guards.fingerprintOf(request) };
      const known =
        authorization === undefined ? undefined : guards.gatekeeper.recall(authorization, visitor);
      // Cached credentials continue synchronously; only a verification needs a promise.
      if (!known) {
        guards.gatekeeper
          .admit(authorization, visitor)
          .then(check)
          .then(() => next(), next); // 401
        return;
      }
      check(known);
    } catch (error) {
      next(error as Error);
      return;
    }
    next();
  };
}

/** As many items of a list take about as long as a short request. */
const ITEMS_PER_REQUEST = 20;

/** Counts a long list as several requests, one of which is counted already before the body is read. */
export const itemGuard =
  ({ rateLimiter }: Pick<Dependencies, 'rateLimiter'>) =>
  ({ principal }: FastifyRequest, reply: FastifyReply, items: number): void => {
    const cost = Math.min(Math.ceil(items / ITEMS_PER_REQUEST), rateLimiter.limit);
    if (cost > 1) requireRate(rateLimiter, principal, reply, cost - 1); // 429
  };

function requireRate(
  limiter: RequestLimiter<number>,
  { userId }: ApiUser,
  reply: FastifyReply,
  cost = 1,
): void {
  const { allowed, remaining, secondsToReset } = limiter.take(userId, cost);
  reply.header('ratelimit-policy', `"user";q=${limiter.limit};w=60`);
  reply.header('ratelimit', `"user";r=${remaining};t=${secondsToReset}`);
  if (!allowed) refuse('tooManyRequests', { seconds: secondsToReset });
}

const isOfProfileOnly = ({ routeOptions }: FastifyRequest, { compatibility = false }: ApiUser): boolean =>
  routeOptions.config.needsProfile === true && !compatibility;

/** The router accepts an empty last segment as a parameter; /contacts/ is no contact. */
const hasEmptyParameter = ({ params }: FastifyRequest): boolean =>
  Object.values(params as Record<string, string>).includes('');

/** The type of a body is checked when it is read: an empty body has none. */
function requireJson({ headers, routeOptions }: FastifyRequest, { compatibility = false }: ApiUser): void {
  // An empty Content-Type counts as missing.
  if (headers['content-type']?.trim() === '') delete headers['content-type'];
  if (mediaType(headers['content-type']) === 'message/coffeepot') refuse('teapot');
  // A client that fetches a document may accept only its type; refusals are JSON nevertheless.
  const { documentType } = routeOptions.config;
  const isWanted = documentType !== undefined && headers.accept?.toLowerCase().includes(documentType);
  // The incumbent answers with JSON whatever a client accepts.
  if (!acceptsJson(headers.accept) && !isWanted && !compatibility) refuse('otherFormat');
}
