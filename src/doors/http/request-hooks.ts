import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Deadline } from '../../platform/concurrency/deadline.ts';
import type { Config } from '../../platform/config/config.ts';
import { continueTrace } from '../../platform/tracing/trace.ts';
import { addressBucket, normaliseAddress } from '../../platform/values/ip-addresses.ts';
import { inScope } from '../../platform/work-scope.ts';
import { boundHandler } from './bound-handler.ts';
import { settleClientAddress } from './client-address.ts';
import type { Connections } from './http-connections.ts';
import { sendMalformed } from './malformed.ts';
import { hasValidHeaders } from './request-headers.ts';
import { type ReportParts, requestReport } from './request-report.ts';
import type { RequestsInFlight } from './requests-in-flight.ts';
import { SlicedAnswer } from './sliced-answer.ts';

type Parts = ReportParts & {
  readonly config: Pick<Config, 'answerTimeoutMs'>;
  readonly connections: Connections;
  readonly inFlight: RequestsInFlight;
  readonly trusted: (address: string) => boolean;
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the answer to an invalid HTTP request. */
  readonly malformed: string;
  readonly state: {
    /** The server is being closed. */
    readonly isClosing: boolean;
    /** Each answer ends its connection. */
    readonly isDraining: boolean;
  };
};

/** What every request goes through, whatever its route: its trace, its deadline, its place among those in flight, its log line. */
export function addRequestHooks(app: FastifyInstance, parts: Parts): void {
  const { config, connections, inFlight, trusted, headers, malformed, spans, state } = parts;
  const report = requestReport(parts);
  const timeoutOf = ({ routeOptions }: FastifyRequest): number =>
    routeOptions.config.answerTimeoutMs ?? config.answerTimeoutMs;
  app.addHook('onRequest', (request, reply, next) => {
    const started = performance.now();
    settleClientAddress(request.raw, trusted);
    const { id, ip, headers: received } = request;
    const trace = continueTrace(received.traceparent, id, spans !== undefined);
    request.trace = trace;
    // Read now: a closed socket has no address.
    const address = normaliseAddress(ip ?? '');
    reply.header('x-request-id', id).headers(headers);
    if (state.isDraining) reply.header('connection', 'close');
    // Unlike 'finish', 'close' is also emitted for aborted requests.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) request.deadline?.abandon();
      // A keep-alive connection that became idle during shutdown would delay it until the client disconnects.
      if (state.isClosing) setImmediate(() => connections.closeIdle());
      report(request, reply, { address, started, ended: performance.now() });
    });
    if (request.is404) ignoreBody(request);
    if (!hasValidHeaders(request.raw)) {
      sendMalformed(reply, malformed);
      return;
    }
    const deadline = Deadline.in(timeoutOf(request));
    request.deadline = deadline;
    inScope({ trace, deadline }, next);
  });
  app.addHook('preHandler', (request, _reply, next) => {
    request.leaveFlight = inFlight.enter(bucketOf(request, connections));
    const { trace } = request;
    const deadline = request.deadline ?? undefined;
    // The time in which the body arrived does not count.
    deadline?.restart(timeoutOf(request));
    // The events of a body have left the scope of the request.
    if (hasBody(request)) inScope({ trace, deadline }, next);
    else next();
  });
  app.addHook('onRoute', (route) => {
    route.handler = boundHandler(route.handler);
  });
  app.addHook('onSend', ({ leaveFlight, deadline, raw }, reply, payload, next) => {
    // A client that still sends its body would find the connection closed, and not read the answer.
    if (connections.hasRefusedBody(raw) && !state.isDraining) reply.removeHeader('connection');
    if (payload instanceof Readable) deadline?.lift();
    // What is made as it is read occupies its place until then.
    if (payload instanceof Readable && !(payload instanceof SlicedAnswer) && leaveFlight)
      payload.once('close', leaveFlight);
    else leaveFlight?.();
    next();
  });
}

/** The client that a request counts for. */
export const bucketOf = ({ raw: { socket }, ip }: FastifyRequest, connections: Connections): string =>
  connections.bucketOf(socket) ?? addressBucket(ip);

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** An unknown path is refused without reading its body: without these headers the request has none. */
function ignoreBody({ raw: { headers } }: FastifyRequest): void {
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}
