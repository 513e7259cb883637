import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import type { RequestKey } from '../../operations/stored-answers.ts';
import type { NamedRefusal, NamedRefusals } from '../../operations/named-refusal.ts';
import { requireNone } from '../../operations/refusal.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { ByteBudget } from '../../platform/concurrency/byte-budget.ts';
import { Deadline } from '../../platform/concurrency/deadline.ts';
import { withDeadline, withoutDeadline } from '../../platform/work-scope.ts';
import { KeyedTurns } from '../../platform/concurrency/keyed-turns.ts';
import { nextTurn } from '../../platform/concurrency/event-loop-turns.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { methodsByPath, refuseUnrouted } from './allowed-methods.ts';
import {
  type Answer,
  type Envelope,
  type RefusalRenderer,
  type RenderedRefusals,
  sendAnswer,
} from './http-answer.ts';
import { compressAnswers } from './compression.ts';
import type { ApiTypes, Endpoint, ReadCall } from './endpoint.ts';
import { failureHandler } from './failure-handler.ts';
import { MAX_VALUES, parseJsonBody } from './json-body.ts';
import { MAX_BODY_BYTES, MAX_QUEUED_DUPLICATES } from './limits.ts';
import { parseLongJsonList } from './long-json-list.ts';
import { readDryRun, readKey } from './read-request.ts';
import { receiveBody } from './receive-body.ts';
import { refuse } from './request-refusals.ts';

/** Takes milliseconds to parse, so that one of them is parsed in some turns of the event loop. */
const LARGE_BODY_BYTES = 65_536;

/** Parsed and worked on at once, of all callers: a list takes a multiple of its size. */
const longLists = new ByteBudget<string>(16 * 1024 * 1024);

/** What the server provides to every API. */
export type ApiDependencies = {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly bulkAnswerTimeoutMs: number;
  /** Refuses while the product cannot work on a request. */
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
  /** To be called once the credentials of a request are verified. */
  readonly authenticated: (request: FastifyRequest) => void;
};

/** How the requests of some callers are read and answered, where it differs from the API's own way. */
export type CallerProfile<A extends ApiTypes> = {
  /** The parsed body; undefined if it is to be read as JSON. */
  readonly parseBody: (request: FastifyRequest, bytes: Buffer) => { readonly body: unknown } | undefined;
  /** Reads a request in place of the endpoint. */
  readonly read: (
    endpoint: Endpoint<A>,
    request: FastifyRequest,
    reply: FastifyReply,
    by: { readonly caller: A['caller']; readonly now: Date },
    refusals: NamedRefusal[],
  ) => Promise<ReadCall<A['context']>>;
  readonly envelopeOf: (answer: Answer) => Envelope;
  readonly renderRefusals: (refusals: NamedRefusals, request: FastifyRequest) => RenderedRefusals;
};

/** An API: its endpoints, and how it differs from the other APIs. */
export type HttpApi<A extends ApiTypes> = Pick<
  ApiDependencies,
  'clock' | 'log' | 'metrics' | 'bulkAnswerTimeoutMs' | 'refuseIfUnavailable'
> & {
  readonly endpoints: readonly Endpoint<A>[];
  /** Calls for callers with a profile alone: for others there is no such path. */
  readonly profileEndpoints?: readonly Endpoint<A>[];
  /** Runs before the body of a request is read. */
  readonly guard: onRequestHookHandler;
  /** Refuses a request whose body lists more items than its caller may send now. */
  readonly requireItems?: (request: FastifyRequest, reply: FastifyReply, items: number) => void;
  readonly callerOf: (request: FastifyRequest) => A['caller'];
  /** Also asked about requests that were refused before their caller was known. */
  readonly profileOf?: (request: FastifyRequest) => CallerProfile<A> | undefined;
  /** The route configuration that the guard reads. */
  readonly configOf?: (endpoint: Endpoint<A>) => FastifyContextConfig;
  /** The namespace of a caller's idempotency keys. */
  readonly keyScopeOf: (caller: A['caller']) => string;
  readonly contextOf: (
    caller: A['caller'],
    request: {
      readonly id: string;
      readonly now: Date;
      readonly requestKey: RequestKey | undefined;
      readonly dryRun: boolean;
    },
  ) => A['context'];
  /** Whether a header can request a dry run. */
  readonly hasDryRuns: boolean;
  /** The maximum number of JSON values in a body. */
  readonly maxValues?: number;
  readonly envelope: Envelope;
  readonly renderRefusals: RefusalRenderer;
};

/** An API as a plugin: its calls, and what is answered at other paths under its prefix. */
export function httpApi<A extends ApiTypes>(api: HttpApi<A>): FastifyPluginCallback {
  const calls = httpCalls(api);
  return (app, options, done) => {
    refuseOtherPaths(app, api.endpoints, api.renderRefusals);
    calls(app, options, done);
  };
}

export function refuseOtherPaths(
  app: FastifyInstance,
  endpoints: Parameters<typeof methodsByPath>[0],
  renderRefusals: RefusalRenderer,
): void {
  const methodsOf = methodsByPath(endpoints, app.prefix);
  app.setNotFoundHandler((request, reply) => refuseUnrouted(methodsOf, request, reply));
  app.knownPaths.push({ methodsOf, renderRefusals });
}

/** Calls as a plugin: body parsing, their guard, one route per endpoint, and one failure handler. */
export function httpCalls<A extends ApiTypes>(api: HttpApi<A>): FastifyPluginCallback {
  return (app, _options, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (request, _payload, parsed) => {
      const { bodyLimit = MAX_BODY_BYTES, config } = request.routeOptions;
      receiveBody(request, bodyLimit, (refused, body) => {
        if (refused) return parsed(refused);
        const bytes = body.take(body.length);
        const done = (error: Error | null, value?: unknown) => {
          body.releaseTaken();
          parsed(error, value);
        };
        const read = () => readBytes(api, request, bytes);
        if (config.isLongList) {
          readLongList(api, request, bytes).then((list) => done(null, list), done);
          return;
        }
        if (bytes.length > LARGE_BODY_BYTES) {
          // The events of a body may come in the context of another request, whose time may be over.
          withoutDeadline(nextTurn)
            .then(read)
            .then((value) => done(null, value), done);
          return;
        }
        let value: unknown;
        try {
          value = read();
        } catch (error) {
          return done(error as Error);
        }
        done(null, value);
      });
    });
    app.addHook('onRequest', api.guard);
    // Checked again: other requests may have arrived while the body was read.
    app.addHook('preValidation', (request, _reply, next) => {
      api.refuseIfUnavailable(request);
      next();
    });
    app.addHook('onSend', compressAnswers);
    app.setErrorHandler(
      failureHandler({
        ...api,
        renderRefusals: (refusals, request) =>
          api.profileOf?.(request)?.renderRefusals(refusals, request) ?? api.renderRefusals(refusals),
      }),
    );
    const turns = new KeyedTurns(MAX_QUEUED_DUPLICATES);
    for (const endpoint of api.endpoints) mount(app, endpoint, api, { turns });
    for (const endpoint of api.profileEndpoints ?? [])
      mount(app, endpoint, api, { turns, needsProfile: true });
    done();
  };
}

function readBytes<A extends ApiTypes>(api: HttpApi<A>, request: FastifyRequest, bytes: Buffer): unknown {
  const own = api.profileOf?.(request)?.parseBody(request, bytes);
  return own ? own.body : parseJsonBody(request.headers['content-type'], bytes, api.maxValues);
}

/** A list waits until an earlier one of its caller is answered, and until those of all callers fit. */
async function readLongList<A extends ApiTypes>(
  api: HttpApi<A>,
  request: FastifyRequest,
  bytes: Buffer,
): Promise<unknown> {
  const scope = api.keyScopeOf(api.callerOf(request));
  await new Promise<void>((begin) => {
    void longLists.run(scope, bytes.length, () => {
      begin();
      return answered.get(request) ?? Promise.resolve();
    });
  });
  const deadline = Deadline.in(api.bulkAnswerTimeoutMs);
  return withDeadline(deadline, () =>
    parseLongJsonList(request.headers['content-type'], bytes, api.maxValues ?? MAX_VALUES),
  );
}

/** Until when a long list occupies memory. */
const answered = new WeakMap<FastifyRequest, Promise<unknown>>();
const noteAnswer: onRequestHookHandler = (request, { raw }, next) => {
  answered.set(request, new Promise((resolve) => raw.once('close', resolve)));
  next();
};

function mount<A extends ApiTypes>(
  app: FastifyInstance,
  endpoint: Endpoint<A>,
  api: HttpApi<A>,
  { turns, needsProfile = false }: { readonly turns: KeyedTurns; readonly needsProfile?: boolean },
): void {
  const { mutates, maxBodyBytes, isLongList } = endpoint;
  const status = endpoint.status ?? 200;
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    exposeHeadRoute: true,
    ...(maxBodyBytes !== undefined && { bodyLimit: maxBodyBytes }),
    ...(isLongList && { onRequest: noteAnswer }),
    config: {
      ...api.configOf?.(endpoint),
      ...(needsProfile && { needsProfile }),
      ...(isLongList && { isLongList }),
      ...(endpoint.isBulk && { answerTimeoutMs: api.bulkAnswerTimeoutMs }),
    },
    handler: async (request, reply) => {
      const caller = api.callerOf(request);
      api.requireItems?.(request, reply, endpoint.body.countItems(request.body));
      const now = api.clock.now();
      const refusals: NamedRefusal[] = [];
      const dryRun = mutates && api.hasDryRuns && readDryRun(request, refusals);
      const requestKey = mutates ? readKey(request, api.keyScopeOf(caller), refusals) : undefined;
      // The key above is of the request as it was sent, whatever a profile makes of it.
      const profile = api.profileOf?.(request);
      const call = await (profile
        ? profile.read(endpoint, request, reply, { caller, now }, refusals)
        : endpoint.read(request, { caller, now }, refusals));
      requireNone(refusals);
      const context = api.contextOf(caller, { id: request.id, now, requestKey, dryRun });
      // Duplicates of one key are serialised here, so that they do not hold pool connections while they wait.
      const answer =
        requestKey && !dryRun
          ? turns.take(`${requestKey.scope} ${requestKey.key}`, () => call(context))
          : call(context);
      const given = await (answer ?? refuse('overload'));
      const envelope = profile?.envelopeOf(given) ?? api.envelope;
      return sendAnswer(reply, given, { status, envelope });
    },
  });
}
