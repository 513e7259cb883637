import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database } from '../../platform/database/database.ts';
import { normaliseAddress } from '../../platform/values/ip-addresses.ts';
import type { Policy } from '../../policy/policy.ts';
import { recordLookup } from '../../registry/lookup/requesters.ts';
import { PUBLIC } from '../../registry/lookup/viewer.ts';
import { sendRefusals } from '../http/http-answer.ts';
import { failureHandler } from '../http/failure-handler.ts';
import type { RdapAccess } from './rdap-access.ts';
import { bootstrapFile } from './bootstrap-file.ts';
import { lookUpEntity, lookUpName, lookUpNameserver, type ObjectLookup } from './lookup-by-name.ts';
import { helpNotices } from './notices.ts';
import { baseUrl } from './prefix.ts';
import { errorObject, renderRefusals } from './rdap-errors.ts';
import { type Addresses, objectUrl, RDAP_TYPE } from './rdap-objects.ts';
import { refuse } from './rdap-refusals.ts';
import { sendCacheable, sendObject } from './send-object.ts';

type Dependencies = {
  readonly database: Pick<Database, 'reads' | 'writes'>;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly access: RdapAccess;
  readonly origin: () => string;
  readonly lookupsPerMinute: number;
  /** Refuses while the clock is wrong or too many requests are under way; maintenance does not concern look-ups. */
  readonly refuseIfBusy: (request: FastifyRequest) => void;
};

const ALLOWED: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const METHODS = ALLOWED.join(', ');
/** Any page may ask, also with credentials that it has itself: nothing here depends on cookies. */
const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after, x-request-id',
  vary: 'authorization',
};
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'accept, authorization, if-none-match, x-request-id',
  'access-control-max-age': '86400',
  allow: METHODS,
};
/** Queries of RFC 9082 that this registry does not answer. */
const NOT_OFFERED = ['/ip/*', '/ip', '/autnum/*', '/autnum', '/domains', '/nameservers', '/entities'];
const LOOKUPS = { domain: lookUpName, entity: lookUpEntity, nameserver: lookUpNameserver } as const;
/** Link checkers and clients that only want to know whether there is an object use HEAD. */
const OPTIONS = { exposeHeadRoute: true };

/** RDAP (RFC 7480, 9082, 9083): what the public, registrars and authorised requesters can look up. */
export function rdapRoutes(parts: Dependencies): FastifyPluginCallback {
  const { policy, clock } = parts;
  return (app, _options, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      reply.headers(COMMON_HEADERS);
      // Before fastify asks for the body of a method that has one.
      if (!ALLOWED.includes(request.method)) {
        reply.header('allow', METHODS);
        refuse('readOnly');
      }
      parts.refuseIfBusy(request);
      next();
    });
    // fastify adds a charset to all kinds of JSON; this media type has no parameters.
    app.addHook('onSend', (_request, reply, payload, next) => {
      if (String(reply.getHeader('content-type')).startsWith(RDAP_TYPE))
        reply.header('content-type', RDAP_TYPE);
      next(null, payload);
    });
    for (const kind of ['domain', 'entity', 'nameserver'] as const)
      app.get(`/${kind}/:name`, OPTIONS, (request, reply) => answerLookup(parts, kind, request, reply));

    const help = async (request: FastifyRequest, reply: FastifyReply) => {
      const [path] = request.url.split('?', 1);
      const addresses = addressesOf(parts, () => `${parts.origin()}${path}`);
      const { lookupsPerMinute } = parts;
      const notices = JSON.stringify(helpNotices(addresses, { ...policy, lookupsPerMinute }));
      return sendObject(request, reply, { object: '', notices }, { viewer: PUBLIC, now: clock.now() });
    };
    app.get('/', OPTIONS, help);
    app.get('/help', OPTIONS, help);
    app.get('/dns.json', OPTIONS, async (request, reply) => {
      reply.header('content-type', 'application/json');
      return sendCacheable(
        request,
        reply,
        JSON.stringify(bootstrapFile(parts.origin(), policy, clock.now())),
      );
    });
    for (const path of NOT_OFFERED)
      app.get(path, OPTIONS, async (_request, reply) =>
        sendRefusals(reply, {
          status: 501,
          type: RDAP_TYPE,
          body: errorObject(501, 'This registry does not offer that.'),
        }),
      );
    for (const path of ['/', '/*'])
      app.options(path, async (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send());
    app.setNotFoundHandler(() => refuse('notAQuery'));
    app.setErrorHandler(failureHandler({ ...parts, renderRefusals }));
    done();
  };
}

async function answerLookup(
  parts: Dependencies,
  kind: keyof typeof LOOKUPS,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { database, policy, clock, access } = parts;
  const now = clock.now();
  const { name } = request.params as { name: string };
  const { viewer, run } = await access.admit(request, now);
  if (viewer.kind === 'requester') {
    const { requesterId } = viewer;
    const address = normaliseAddress(request.ip);
    const entry = { requesterId, at: now, address, kind, name, requestId: request.id };
    await run(() => recordLookup(database.writes, entry));
  }
  const addresses = addressesOf(parts, (base) => objectUrl({ base }, kind, name));
  const lookUp: ObjectLookup = LOOKUPS[kind];
  const found = await lookUp(name, {
    run,
    viewer,
    now,
    policy,
    addresses,
    db: database.reads,
  });
  return sendObject(request, reply, found, { viewer, now });
}

function addressesOf(parts: Pick<Dependencies, 'origin'>, asked: (base: string) => string): Addresses {
  const origin = parts.origin();
  const base = baseUrl(origin);
  return { base, asked: asked(base), page: `${origin}/lookup` };
}
