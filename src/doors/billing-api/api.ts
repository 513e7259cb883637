import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Billing, Caller } from '../../billing/context.ts';
import type { Initiator } from '../../billing/initiators.ts';
import { refuse } from '../../operations/refusals.ts';
import { KeyedTurns } from '../../platform/keyed-turns.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { readRequestKey } from '../http/request-key.ts';
import { type BillingSecrets, tokenReader } from './access.ts';
import { type CallbackParts, callbackRoute } from './callback.ts';
import { depositRoutes } from './deposits.ts';
import { exportRoutes } from './exports.ts';
import { failureHandler } from './failures.ts';
import { importRoutes } from './imports.ts';
import { invoiceRoutes } from './invoices.ts';
import { readingRoutes } from './reading.ts';
import { referenceRoutes } from './references.ts';

type Parts = CallbackParts & {
  readonly billing: Billing;
  readonly secrets: BillingSecrets;
  readonly bulkAnswerTimeoutMs: number;
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
  readonly authenticated: (request: FastifyRequest) => void;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export const BILLING_PREFIX = '/api/v1';
const BODY_LIMIT = 1024 * 1024;
const MOST_TWINS_WAITING = 64;
const DENIED = { message: 'Access denied', code: '403' };

/** The billing API: a token for every call but the callback, and one route per endpoint of the document. */
export function billingApi(parts: Parts): FastifyPluginCallback {
  const { billing, log, metrics } = parts;
  const readToken = tokenReader(parts.secrets);
  const turns = new KeyedTurns(MOST_TWINS_WAITING);
  const bulk = { answerTimeoutMs: parts.bulkAnswerTimeoutMs };
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, parsed) => {
      try {
        parsed(null, parseJsonBody(request.headers['content-type'], bytes as Buffer));
      } catch (error) {
        parsed(error as Error);
      }
    });
    app.setErrorHandler(failureHandler(log, metrics));
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }));
    app.addHook('onRequest', async (request) => parts.refuseIfUnavailable(request));
    app.addHook('preValidation', async (request) => parts.refuseIfUnavailable(request));
    callbackRoute(app, parts);

    app.register((scope, _none, ready) => {
      const callers = new WeakMap<FastifyRequest, Initiator>();
      const initiatorOf = (request: FastifyRequest): Initiator => {
        const initiator = callers.get(request);
        if (!initiator) throw new Error('a call without a caller');
        return initiator;
      };
      scope.addHook('onRequest', async (request, reply) => {
        const initiator = await readToken(request.headers.authorization);
        if (!initiator) return reply.code(401).header('www-authenticate', 'Bearer').send(DENIED);
        callers.set(request, initiator);
        parts.authenticated(request);
      });
      readingRoutes(scope, { billing, initiatorOf });
      const routes = [
        ...invoiceRoutes(billing),
        ...depositRoutes(billing),
        ...referenceRoutes(billing),
        ...importRoutes(billing),
        ...exportRoutes(billing),
      ];
      for (const { path, status, bodyLimit = BODY_LIMIT, isBulk, handle } of routes)
        scope.post(path, { bodyLimit, config: isBulk ? bulk : {} }, async (request, reply) => {
          const initiator = initiatorOf(request);
          const requestKey = readRequestKey(request, `billing:${initiator}`);
          const caller: Caller = { initiator, requestKey, dryRun: false, now: billing.clock.now() };
          const call = () => handle(request.body, caller);
          // Twins of one key take turns here, so that they do not fill the pool while they wait in the database.
          const outcome = requestKey ? turns.take(`${requestKey.scope} ${requestKey.key}`, call) : call();
          const { answer, replayed } = await (outcome ?? refuse('overload'));
          if (replayed) reply.header('idempotency-replayed', 'true');
          return reply.code(status).send(answer);
        });
      ready();
    });
    done();
  };
}
