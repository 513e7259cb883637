import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { SpanExporter } from '../../platform/tracing/span-exporter.ts';
import { type ApiUser, isApiUser } from '../../registry/actor.ts';
import { addRequestSpan } from './request-span.ts';

export type ReportParts = {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly spans?: SpanExporter | undefined;
  /** Told of every answer to an API user: the call as method and path pattern, and its result. */
  readonly answered?: ((user: ApiUser, call: string, result: number) => void) | undefined;
};
type Times = { readonly address: string; readonly started: number; readonly ended: number };

/** The status in log and metrics if the client disconnected before the answer. */
const ABORTED = 499;

/** What is left of a request when its answer has ended: a measurement, a span, a count of calls, and a line of the log. */
export const requestReport =
  ({ log, metrics, spans, answered }: ReportParts) =>
  (
    { id: reqId, method, principal, registrarCode, routeOptions, trace }: FastifyRequest,
    { resultCode: code, raw }: FastifyReply,
    { address, started, ended }: Times,
  ): void => {
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
