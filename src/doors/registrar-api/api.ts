import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { Refused } from '../../operations/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import { KeyedTurns } from '../../platform/keyed-turns.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Policy } from '../../policy/policy.ts';
import { reportDatabaseFailure } from '../http/database-failure.ts';
import { parseJsonBody } from '../http/json-body.ts';
import type { Endpoint } from './endpoint.ts';
import { sendAnswer, sendRefusals } from './envelope.ts';
import { type GroundRules, groundRules } from './ground-rules.ts';
import { PREFIX } from './prefix.ts';
import { readCall } from './reading.ts';
import { refusal, refuse } from './refusals.ts';

export const BODY_LIMIT = 1024 * 1024;
/** The largest list of any call has 10,000 names. */
const MAX_VALUES = 25_000;
const MOST_TWINS_WAITING = 64;

type Parts = Omit<GroundRules, 'methodsOf' | 'documentTypeOf'> & {
  readonly clock: Clock;
  readonly policy: Policy;
  readonly origin: () => string;
  readonly bulkAnswerTimeoutMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly endpoints: readonly Endpoint[];
};

/** The registrar API under its prefix: the ground rules for whatever comes, then one route per endpoint. */
export function registrarApi(parts: Parts): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request, bytes, parsed) => {
      try {
        parsed(null, parseJsonBody(request.headers['content-type'], bytes as Buffer, MAX_VALUES));
      } catch (error) {
        parsed(error as Error);
      }
    });
    app.addHook(
      'onRequest',
      groundRules({
        ...parts,
        methodsOf: methodsByPath(parts.endpoints),
        documentTypeOf: documentTypes(parts.endpoints),
      }),
    );
    // A body may take its time, in which others have come.
    app.addHook('preValidation', (request, _reply, next) => {
      parts.refuseIfUnavailable(request);
      next();
    });
    app.setNotFoundHandler(() => refuse('unknownPath'));
    app.setErrorHandler(failureHandler(parts.log, parts.metrics));
    const turns = new KeyedTurns(MOST_TWINS_WAITING);
    for (const endpoint of parts.endpoints) mount(app, endpoint, parts, turns);
    done();
  };
}

function mount(
  app: FastifyInstance,
  endpoint: Endpoint,
  { clock, policy, origin, bulkAnswerTimeoutMs }: Parts,
  turns: KeyedTurns,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: {
      right: endpoint.right,
      ...(endpoint.isBulk && { answerTimeoutMs: bulkAnswerTimeoutMs }),
    },
    handler: async (request, reply) => {
      const { principal } = request;
      const now = clock.now();
      const { query, input, dryRun, requestKey, headers } = readCall(
        endpoint,
        request,
        `registrar:${principal.registrarId}`,
        now,
      );
      const context = {
        principal,
        now,
        requestId: request.id,
        requestKey,
        dryRun,
        policy,
        publicUrl: origin(),
      };
      const handle = () =>
        endpoint.handle({ params: request.params, query, input, context, headers } as never);
      // Twins of one key take turns here, so that they do not fill the pool while they wait in the database.
      const answer =
        requestKey && !dryRun ? turns.take(`${requestKey.scope} ${requestKey.key}`, handle) : handle();
      return sendAnswer(reply, await (answer ?? refuse('overload')));
    },
  });
}

/** Turns whatever went wrong into the envelope; what nobody foresaw is logged and tells the client its request id only. */
function failureHandler(log: Logger, metrics: Metrics) {
  return (error: FastifyError, { id: reqId }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof Refused) return sendRefusals(reply, error.refusals);
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendRefusals(reply, [refusal('bodyTooLarge')]);
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return sendRefusals(reply, [refusal('otherFormat')]);
    // Whatever else fastify finds wrong with a body, such as a client that leaves in the middle of it.
    if (error.statusCode === 400) return sendRefusals(reply, [refusal('malformedRequest')]);
    const failure = reportDatabaseFailure(error, reqId, { log, metrics });
    if (failure === undefined) {
      log.error({ err: error, reqId }, 'unforeseen failure');
      return sendRefusals(reply, [refusal('fault', { requestId: reqId })]);
    }
    return sendRefusals(reply, [refusal(failure === 'unavailable' ? 'databaseAway' : 'overload')]);
  };
}

function documentTypes(endpoints: readonly Endpoint[]): GroundRules['documentTypeOf'] {
  const types = new Map(endpoints.map(({ path, document }) => [PREFIX + path, document]));
  return (route) => (route === undefined ? undefined : types.get(route));
}

function methodsByPath(endpoints: readonly Endpoint[]): GroundRules['methodsOf'] {
  const known = endpoints.map(({ method, path }) => ({ method, steps: `${PREFIX}${path}`.split('/') }));
  return (path) => {
    const given = path.split('/');
    const fits = (steps: readonly string[]) =>
      steps.length === given.length &&
      steps.every((step, place) => (step.startsWith(':') ? given[place] !== '' : step === given[place]));
    return [...new Set(known.filter(({ steps }) => fits(steps)).map(({ method }) => method))];
  };
}
