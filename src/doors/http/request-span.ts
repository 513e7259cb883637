import type { SpanExporter } from '../../platform/tracing/span-exporter.ts';
import type { Trace } from '../../platform/tracing/trace.ts';

type EndedRequest = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** The result code in the envelope. */
  readonly code: number | null;
  readonly started: number;
  readonly ended: number;
};

/** Requests of load balancers, several a second. */
const UNTRACED = new Set(['/health', '/ready']);

/** Exports a request, without the client's address and user: a collector may belong to somebody else. */
export function addRequestSpan(
  spans: SpanExporter,
  { traceId, spanId, parentId, requestId }: Trace,
  { method, route, status, code, started, ended }: EndedRequest,
): void {
  if (UNTRACED.has(route)) return;
  spans.add({
    traceId,
    spanId,
    parentId,
    name: `${method} ${route}`,
    kind: 'server',
    startedAt: started,
    endedAt: ended,
    isFailure: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'cadastre.result_code': code ?? undefined,
      'cadastre.request_id': requestId,
    },
  });
}
