import { randomUUID } from 'node:crypto';
import type { Server as HttpServerOfNode, RequestListener } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.ts';
import { http } from '../../platform/node-http.ts';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import { renderOtherMethod } from './allowed-methods.ts';
import { boundedRequest } from './bounded-request.ts';
import { continueWhenRead } from './expect-continue.ts';
import { Connections } from './http-connections.ts';
import {
  answerHeaders,
  type ParserError,
  pathOfUnknownMethod,
  rawMalformed,
  rawRefusals,
} from './malformed.ts';
import { requestId } from './request-headers.ts';
import { addRequestHooks, bucketOf } from './request-hooks.ts';
import type { ReportParts } from './request-report.ts';
import { RequestsInFlight } from './requests-in-flight.ts';

type Dependencies = ReportParts & {
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
  /** Set where it serves TLS: its own certificate, and whether it requests client certificates. */
  readonly tls?: { readonly identity: SecureContextOptions; readonly askClients: boolean };
  /** Where a request for this path is routed to. */
  readonly rewritePath?: (url: string) => string;
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
const noSchemas = (): never => {
  throw new Error('A route has a schema of Fastify; endpoints have their own.');
};

/** A bare server: request ids, one log line and one measurement per request, limits, and graceful shutdown. */
export function createServer(dependencies: Dependencies): HttpServer {
  const { config, metrics, malformed, tls, rewritePath = (url) => url } = dependencies;
  const headers = answerHeaders(tls !== undefined);
  const malformedAnswer = () => rawMalformed(malformed, randomUUID(), headers);
  const connections = new Connections({
    config,
    ended: (reason) => metrics.connectionsEnded.inc({ reason }),
    answerMalformed: (socket) => socket.write(malformedAnswer()),
  });
  const rewritten = (url: string): string => rewritePath(isDecodable(url) ? url : url.replaceAll('%', '%25'));
  const trusted = addressMatcher(config.trustedProxies);
  const app = createApp({
    listen: listenWith(dependencies, connections),
    trusted,
    rewritten,
    answerTo: (error) => {
      const path = pathOfUnknownMethod(error);
      const refused = path === undefined ? undefined : renderOtherMethod(app.knownPaths, rewritten(path));
      return refused ? rawRefusals(refused, randomUUID(), headers) : malformedAnswer();
    },
  });
  const inFlight = new RequestsInFlight({
    maxTotal: config.maxRequestsInFlight,
    maxPerAddress: config.maxRequestsPerAddress,
  });
  const state = { isClosing: false, isDraining: false };
  app.addHook('preClose', async () => {
    state.isClosing = true;
    connections.closeIdle();
  });
  app.addHook('onClose', async () => connections.stop());
  addRequestHooks(app, { ...dependencies, headers, connections, inFlight, trusted, state });
  return {
    app,
    inFlight: () => inFlight.total,
    isFull: () => inFlight.total >= config.maxRequestsInFlight,
    connections: () => connections.size,
    isOverloaded: (request) => inFlight.isFull(bucketOf(request, connections)),
    authenticated: ({ raw: { socket }, principal, registrarCode, ip }) =>
      connections.markAuthenticated(socket, principal?.registrarCode ?? registrarCode ?? ip),
    endConnections: () => {
      state.isDraining = true;
    },
  };
}

/** Makes Node's server, with its limits, whose requests are handled in turns. */
const listenWith =
  ({ config, tls }: Dependencies, connections: Connections) =>
  (handle: RequestListener): HttpServerOfNode => {
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
    const inTurn = connections.inTurn(handle);
    const server = tls
      ? https.createServer({ ...options, ...tlsOptions(tls) }, inTurn)
      : http.createServer(options, inTurn);
    connections.watch(server);
    return server;
  };

type AppParts = {
  readonly listen: (handle: RequestListener) => HttpServerOfNode;
  readonly trusted: (address: string) => boolean;
  readonly rewritten: (url: string) => string;
  /** What a request gets that is no valid HTTP. */
  readonly answerTo: (error: ParserError) => string;
};

function createApp({ listen, trusted, rewritten, answerTo }: AppParts): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    // Endpoints validate by themselves: a compiler of Fastify's own would be loaded and never used.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: (address: string) => trusted(address),
    serverFactory: listen,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => rewritten(url),
    clientErrorHandler: (error, socket) => answerRaw(error, socket, answerTo(error)),
  });
  // No route has it; Fastify would answer one without a Content-Type itself, before the handlers of unknown paths.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
  // Node would answer an unknown Expect header itself, without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    app.server.emit('request', request, response);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }));
  app.decorate('knownPaths', []);
  app.decorateRequest('principal');
  app.decorateRequest('registrarCode', null);
  app.decorateRequest('leaveFlight', null);
  app.decorateRequest('trace');
  app.decorateRequest('deadline', null);
  app.decorateReply('resultCode', null);
  return app;
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
