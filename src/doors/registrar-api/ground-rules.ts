import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../platform/rate-limiter.ts';
import type { Gatekeeper } from '../../registry/access/gatekeeper.ts';
import { hasRight, type Principal } from '../../registry/actor.ts';
import type { FingerprintReader } from '../http/client-certificate.ts';
import { acceptsJson, mediaType } from '../http/negotiation.ts';
import { refuse } from './refusals.ts';

export type GroundRules = {
  readonly gatekeeper: Gatekeeper;
  readonly fingerprintOf: FingerprintReader;
  readonly rateLimiter: RateLimiter<number>;
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
  readonly authenticated: (request: FastifyRequest) => void;
  readonly methodsOf: (path: string) => readonly string[];
  /** The media type of a route that answers with a document; undefined for all others. */
  readonly documentTypeOf: (route: string | undefined) => string | undefined;
};

/** What every request goes through before its body is read, in the document's order of checks. */
export function groundRules(rules: GroundRules) {
  return (request: FastifyRequest, reply: FastifyReply, next: (error?: Error) => void): void => {
    const check = (principal: Principal) => {
      request.principal = principal;
      rules.authenticated(request);
      refuseIfTooFast(rules.rateLimiter, principal, reply); // 429
      if (request.is404 || hasEmptyParameter(request)) refuseUnrouted(rules.methodsOf, request, reply); // 404, 405
      refuseOtherFormats(request, rules.documentTypeOf); // 406, 418
      const { right } = request.routeOptions.config;
      if (right && !hasRight(principal, right)) refuse('notAllowed'); // 403
    };
    try {
      rules.refuseIfUnavailable(request); // 503
      const { authorization } = request.headers;
      const visitor = { address: request.ip, fingerprint: rules.fingerprintOf(request) };
      const known = authorization === undefined ? undefined : rules.gatekeeper.recall(authorization, visitor);
      // Who is known goes on at once; only a verification is worth a promise.
      if (!known) {
        rules.gatekeeper
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

function refuseIfTooFast(limiter: RateLimiter<number>, { userId }: Principal, reply: FastifyReply): void {
  const { allowed, remaining, secondsToReset } = limiter.take(userId);
  reply.header('ratelimit-policy', `"user";q=${limiter.perMinute};w=60`);
  reply.header('ratelimit', `"user";r=${remaining};t=${secondsToReset}`);
  if (!allowed) refuse('tooManyRequests', { seconds: secondsToReset });
}

function refuseUnrouted(
  methodsOf: GroundRules['methodsOf'],
  request: FastifyRequest,
  reply: FastifyReply,
): never {
  const methods = methodsOf(request.url.split('?', 1)[0] ?? '');
  if (methods.length === 0) refuse('unknownPath');
  reply.header('allow', methods.join(', '));
  return refuse('otherMethod');
}

/** The router lets an empty last segment pass as a parameter; /contacts/ is no contact. */
const hasEmptyParameter = ({ params }: FastifyRequest): boolean =>
  Object.values(params as Record<string, string>).includes('');

/** The type of a body is looked at when it is read: an empty one has none. */
function refuseOtherFormats(
  { headers, routeOptions }: FastifyRequest,
  documentTypeOf: GroundRules['documentTypeOf'],
): void {
  // An empty declaration declares nothing.
  if (headers['content-type']?.trim() === '') delete headers['content-type'];
  if (mediaType(headers['content-type']) === 'message/coffeepot') refuse('teapot');
  // Whoever fetches a document names what he wants; should it be refused he gets JSON all the same.
  const document = documentTypeOf(routeOptions.url);
  const isWanted = document !== undefined && headers.accept?.toLowerCase().includes(document);
  if (!acceptsJson(headers.accept) && !isWanted) refuse('otherFormat');
}
