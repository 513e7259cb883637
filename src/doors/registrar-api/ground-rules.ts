import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../platform/rate-limiter.ts';
import type { Gatekeeper } from '../../registry/access/gatekeeper.ts';
import type { Principal } from '../../registry/actor.ts';
import { refuse } from '../../registry/refusals.ts';
import { acceptsJson, mediaType } from '../http/negotiation.ts';

export type GroundRules = {
  readonly gatekeeper: Gatekeeper;
  readonly rateLimiter: RateLimiter<number>;
  readonly refuseIfUnavailable: () => void;
  readonly methodsOf: (path: string) => readonly string[];
};

/** What every request goes through before its body is read, in the document's order of checks. */
export function groundRules(rules: GroundRules) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    rules.refuseIfUnavailable(); // 503
    request.principal = await authenticate(rules.gatekeeper, request); // 401
    refuseIfTooFast(rules.rateLimiter, request.principal, reply); // 429
    if (request.is404 || hasEmptyParameter(request)) refuseUnrouted(rules.methodsOf, request, reply); // 404, 405
    refuseOtherFormats(request); // 406, 418
  };
}

async function authenticate(gatekeeper: Gatekeeper, { headers, ip }: FastifyRequest): Promise<Principal> {
  const header = headers.authorization;
  return (header !== undefined && gatekeeper.recall(header)) || gatekeeper.admit(header, ip);
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
function refuseOtherFormats({ headers }: FastifyRequest): void {
  // An empty declaration declares nothing.
  if (headers['content-type']?.trim() === '') delete headers['content-type'];
  if (mediaType(headers['content-type']) === 'message/coffeepot') refuse('teapot');
  if (!acceptsJson(headers.accept)) refuse('otherFormat');
}
