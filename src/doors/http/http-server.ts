import { randomUUID } from 'node:crypto';
import type { Server as HttpServerOfNode, RequestListener } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Deadline, withDeadline } from '../../platform/concurrency/deadline.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { http } from '../../platform/node-http.ts';
import type { SpanExporter } from '../../platform/tracing/span-exporter.ts';
import { continueTrace, withTrace } from '../../platform/tracing/trace.ts';
import { addressBucket, addressMatcher, normaliseAddress } from '../../platform/values/ip-addresses.ts';
import { type ApiUser, isApiUser } from '../../registry/actor.ts';
import { renderOtherMethod } from './allowed-methods.ts';
import { boundHandler } from './bound-handler.ts';
import { boundedRequest } from './bounded-request.ts';
import { settleClientAddress } from './client-address.ts';
import { Connections } from './http-connections.ts';
import { continueWhenRead } from './expect-continue.ts';
import {
  answerHeaders,
  type ParserError,
  pathOfUnknownMethod,
  rawMalformed,
  rawRefusals,
  sendMalformed,
} from './malformed.ts';
import { hasValidHeaders, requestId } from './request-headers.ts';
import { addRequestSpan } from './request-span.ts';
import { RequestsInFlight } from './requests-in-flight.ts';
import { SlicedAnswer } from './sliced-answer.ts';

type Dependencies = {
  readonly config: Pick<
    Config,
    | 'requestTimeoutMs'
    | 'answerTimeoutMs'
    | 'trustedProxies'
    | 'maxRequestsInFlight'
    | 'maxRequestsPerAddress'
    | 'maxConnectionsPerAddress'
    | 'certificates'
  >;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Set where it serves TLS: its own certificate, and whether it requests client certificates. */
  readonly tls?: { readonly identity: SecureContextOptions; readonly askClients: boolean };
  /** Where a request for this path is routed to. */
  readonly rewritePath?: (url: string) => string;
  readonly spans?: SpanExporter | undefined;
  /** Told of every answer to an API user: the call as method and path pattern, and its result. */
  readonly answered?: (user: ApiUser, call: string, result: number) => void;
  /** The body of the answer to an invalid HTTP request. */
  readonly malformed: string;
};

export type HttpServer = {
  readonly app: FastifyInstance;
  readonly inFlight: () => number;
  /** Whether the limit of all requests in flight is reached. */
  readonly isFull: () => boolean;
  readonly connections: () => number;
  /** Whether the limits of requests in flight leave no room for this request. */
  readonly isOverloaded: (request: FastifyRequest) => boolean;
  /** To be called by an API that has verified the credentials of a request. */
  readonly authenticated: (request: FastifyRequest) => void;
  /** From now on each answer ends its connection, so that clients open their next one to another server. */
  readonly endConnections: () => void;
};

/** Above Node's limit of a request line, so that the router never refuses a parameter itself. */
const MAX_PARAMETER_LENGTH = 32_768;
const IDLE_CONNECTION_MS = 72_000;
const CHECK_CONNECTIONS_MS = 5_000;
const HEADERS_TIMEOUT_MS = 10_000;
const TLS_HANDSHAKE_TIMEOUT_MS = 10_000;
/** Request line and headers together; a proxy that forwards certificates needs more. */
const MAX_HEADER_BYTES = 8_192;
const MAX_HEADER_BYTES_WITH_CERTIFICATE = 16_384;
/** The status in log and metrics if the client disconnected before the answer. */
const ABORTED = 499;

const noSchemas = (): never => {
  throw new Error('A route has a schema of Fastify; endpoints have their own.');
};

/** A bare server: request ids, one log line and one measurement per request, limits, and graceful shutdown. */
export function createServer({
  config,
  log,
  metrics,
  tls,
  malformed,
  spans,
  answered,
  rewritePath = (url) => url,
}: Dependencies): HttpServer {
  const inFlight = new RequestsInFlight({
    maxTotal: config.maxRequestsInFlight,
    maxPerAddress: config.maxRequestsPerAddress,
  });
  const trusted = addressMatcher(config.trustedProxies);
  const headers = answerHeaders(tls !== undefined);
  const connections = new Connections({
    config,
    ended: (reason) => metrics.connectionsEnded.inc({ reason }),
    answerMalformed: (socket) => socket.write(rawMalformed(malformed, randomUUID(), headers)),
  });
  const options = {
    connectionsCheckingInterval: Math.min(config.requestTimeoutMs, CHECK_CONNECTIONS_MS),
    requestTimeout: config.requestTimeoutMs,
    headersTimeout: Math.min(config.requestTimeoutMs, HEADERS_TIMEOUT_MS),
    keepAliveTimeout: IDLE_CONNECTION_MS,
    maxHeaderSize: config.certificates === 'proxy' ? MAX_HEADER_BYTES_WITH_CERTIFICATE : MAX_HEADER_BYTES,
    // We check it ourselves, to answer in our own format.
    requireHostHeader: false,
    IncomingMessage: boundedRequest({
      mayTake: (socket, bytes) => connections.mayTakePiece(socket, bytes),
      tooManyPieces: (socket) => connections.endManyPieces(socket),
      mayKeep: (request, bytes) => connections.mayKeep(request, bytes),
      awaitTurn: (request, read) => connections.readOn(request, read),
      received: (request) => connections.received(request),
    }),
  };
  const serverFactory = (handle: RequestListener): HttpServerOfNode => {
    const inTurn = connections.inTurn(handle);
    const server = tls
      ? https.createServer({ ...options, ...tlsOptions(tls) }, inTurn)
      : http.createServer(options, inTurn);
    connections.watch(server);
    return server;
  };
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    // Endpoints validate by themselves: a compiler of Fastify's own would be loaded and never used.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: (address: string) => trusted(address),
    serverFactory,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => rewritten(url),
    clientErrorHandler: (error, socket) => answerRaw(error, socket, answerTo(error)),
  });
  const rewritten = (url: string): string => rewritePath(isDecodable(url) ? url : url.replaceAll('%', '%25'));
  // No route has it; Fastify would answer one without a Content-Type itself, before the handlers of unknown paths.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
  app.decorate('knownPaths', []);
  const answerTo = (error: ParserError): string => {
    const path = pathOfUnknownMethod(error);
    const refused = path === undefined ? undefined : renderOtherMethod(app.knownPaths, rewritten(path));
    return refused
      ? rawRefusals(refused, randomUUID(), headers)
      : rawMalformed(malformed, randomUUID(), headers);
  };
  // Node would answer an unknown Expect header itself, without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    app.server.emit('request', request, response);
  });
  let closing = false;
  let isDraining = false;
  app.addHook('preClose', async () => {
    closing = true;
    connections.closeIdle();
  });
  app.addHook('onClose', async () => connections.stop());
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }));
  app.decorateRequest('principal');
  app.decorateRequest('registrarCode', null);
  app.decorateRequest('leaveFlight', null);
  app.decorateRequest('trace');
  app.decorateRequest('deadline', null);
  app.decorateReply('resultCode', null);
  app.addHook('onRequest', (request, reply, next) => {
    const started = performance.now();
    settleClientAddress(request.raw, trusted);
    const { id, ip, headers: received } = request;
    const trace = continueTrace(received.traceparent, id, spans !== undefined);
    request.trace = trace;
    // Read now: a closed socket has no address.
    const address = normaliseAddress(ip ?? '');
    reply.header('x-request-id', id).headers(headers);
    if (isDraining) reply.header('connection', 'close');
    // Unlike 'finish', 'close' is also emitted for aborted requests.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) request.deadline?.abandon();
      // A keep-alive connection that became idle during shutdown would delay it until the client disconnects.
      if (closing) setImmediate(() => connections.closeIdle());
      report(request, reply, { address, started, ended: performance.now() });
    });
    if (request.is404) ignoreBody(request);
    if (!hasValidHeaders(request.raw)) {
      sendMalformed(reply, malformed);
      return;
    }
    request.deadline = deadlineOf(request);
    withTrace(trace, () => withDeadline(request.deadline ?? undefined, next));
  });
  const deadlineOf = ({ routeOptions }: FastifyRequest): Deadline =>
    Deadline.in(routeOptions.config.answerTimeoutMs ?? config.answerTimeoutMs);
  const addressOf = ({ raw: { socket }, ip }: FastifyRequest): string =>
    connections.bucketOf(socket) ?? addressBucket(ip);
  // The deadline starts again here: the time in which the body arrived does not count.
  app.addHook('preHandler', (request, _reply, next) => {
    request.leaveFlight = inFlight.enter(addressOf(request));
    const deadline = deadlineOf(request);
    request.deadline = deadline;
    // The events of the body have left the context of the request.
    withTrace(request.trace, () => withDeadline(deadline, next));
  });
  app.addHook('onRoute', (route) => {
    route.handler = boundHandler(route.handler);
  });
  app.addHook('onSend', ({ leaveFlight, deadline, raw }, reply, payload, next) => {
    // A client that still sends its body would find the connection closed, and not read the answer.
    if (connections.hasRefusedBody(raw) && !isDraining) reply.removeHeader('connection');
    if (payload instanceof Readable) deadline?.lift();
    // What is made as it is read occupies its place until then.
    if (payload instanceof Readable && !(payload instanceof SlicedAnswer) && leaveFlight)
      payload.once('close', leaveFlight);
    else leaveFlight?.();
    next();
  });
  const report = (
    { id: reqId, method, principal, registrarCode, routeOptions, trace }: FastifyRequest,
    { resultCode: code, raw }: FastifyReply,
    {
      address,
      started,
      ended,
    }: { readonly address: string; readonly started: number; readonly ended: number },
  ) => {
    const route = routeOptions.url ?? 'none';
    const ms = ended - started;
    const status = raw.writableFinished ? raw.statusCode : ABORTED;
    metrics.requests.observe({ method, route, status, code: code ?? 0 }, ms / 1000);
    if (spans) addRequestSpan(spans, trace, { method, route, status, code, started, ended });
    if (answered && isApiUser(principal))
      answered(principal, `${method} ${route}`, status === ABORTED ? ABORTED : (code ?? status));
    const user = principal?.username;
    const registrar = principal?.registrarCode ?? registrarCode ?? undefined;
    log.info(
      {
        reqId,
        traceId: trace.traceId,
        address,
        method,
        route,
        status,
        code,
        ms: Math.round(ms * 100) / 100,
        user,
        registrar,
      },
      'request',
    );
  };
  return {
    app,
    inFlight: () => inFlight.total,
    isFull: () => inFlight.total >= config.maxRequestsInFlight,
    connections: () => connections.size,
    isOverloaded: (request) => inFlight.isFull(addressOf(request)),
    authenticated: ({ raw: { socket }, principal, registrarCode, ip }) =>
      connections.markAuthenticated(socket, principal?.registrarCode ?? registrarCode ?? ip),
    endConnections: () => {
      isDraining = true;
    },
  };
}

/** An unknown path is refused without reading its body: without these headers the request has none. */
function ignoreBody({ raw: { headers } }: FastifyRequest): void {
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

/** A client with an invalid certificate or none reaches the request guards, so that it gets an answer. */
const tlsOptions = ({ identity, askClients }: NonNullable<Dependencies['tls']>) => ({
  ...identity,
  requestCert: askClients,
  rejectUnauthorized: false,
  handshakeTimeout: TLS_HANDSHAKE_TIMEOUT_MS,
});

/** A path with an invalid escape is handled like any unknown path. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

function answerRaw(error: Error & { code?: string }, socket: Socket, answer: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.end(answer);
  else socket.destroy();
}
