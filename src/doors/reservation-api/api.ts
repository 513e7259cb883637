import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { refuse } from '../../operations/refusals.ts';
import { KeyedTurns } from '../../platform/keyed-turns.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { KnownToken } from '../../reservations/known-tokens.ts';
import type { ReservationParts } from '../../reservations/parts.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { readRequestKey } from '../http/request-key.ts';
import { type AccessParts, PortalAccess } from './access.ts';
import { failureHandler } from './failures.ts';
import { longReservationRoutes } from './long-reservations.ts';
import { nameRoutes } from './names.ts';
import { reservationRoutes } from './reservations.ts';
import type { Ground } from './route.ts';

type Parts = AccessParts & {
  readonly reservations: ReservationParts;
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
  readonly authenticated: (request: FastifyRequest) => void;
  readonly metrics: Metrics;
};

const MOST_TWINS_WAITING = 64;

/** The reservation API of the business portal: two forms of authentication for every call. */
export function reservationApi(parts: Parts): FastifyPluginCallback {
  const { reservations, metrics } = parts;
  const access = new PortalAccess(parts);
  return (app, _options, done) => {
    readJson(app);
    app.setErrorHandler(failureHandler(reservations.log, metrics));
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }));
    const callers = new WeakMap<FastifyRequest, KnownToken>();
    app.addHook('onRequest', async (request) => {
      parts.refuseIfUnavailable(request);
      callers.set(request, access.admit(request.headers.authorization, request.ip));
      parts.authenticated(request);
    });
    app.addHook('preValidation', async (request) => parts.refuseIfUnavailable(request));
    const callerOf = (request: FastifyRequest): KnownToken => {
      const token = callers.get(request);
      if (!token) throw new Error('a call without a caller');
      return token;
    };
    const ground: Ground = {
      parts: reservations,
      find: (request, look, or) => access.find(callerOf(request), look, or),
      make: maker(reservations, callerOf),
    };
    nameRoutes(app, reservations);
    reservationRoutes(app, ground);
    longReservationRoutes(app, ground);
    done();
  };
}

function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, parsed) => {
    try {
      parsed(null, parseJsonBody(request.headers['content-type'], bytes as Buffer));
    } catch (error) {
      parsed(error as Error);
    }
  });
}

function maker(
  { clock }: ReservationParts,
  callerOf: (request: FastifyRequest) => KnownToken,
): Ground['make'] {
  const turns = new KeyedTurns(MOST_TWINS_WAITING);
  return (call) => async (request, reply) => {
    const requestKey = readRequestKey(request, `portal:${callerOf(request).id}`);
    const run = () => call(request.body, { requestKey, dryRun: false, now: clock.now() });
    // Twins of one key take turns here, so that they do not fill the pool while they wait in the database.
    const outcome = requestKey ? turns.take(`${requestKey.scope} ${requestKey.key}`, run) : run();
    const { answer, replayed } = await (outcome ?? refuse('overload'));
    if (replayed) reply.header('idempotency-replayed', 'true');
    return reply.code(201).send(answer);
  };
}
