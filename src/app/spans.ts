import os from 'node:os';
import type { Config } from '../platform/config/config.ts';
import type { Logger } from '../platform/logging.ts';
import { codeOf } from '../platform/database/database-errors.ts';
import { SpanExporter } from '../platform/tracing/span-exporter.ts';
import { newSpanId, type Trace } from '../platform/tracing/trace.ts';
import { version } from '../platform/version.ts';

/** Undefined where no collector is configured. */
export function openSpanExporter(
  { otlpEndpoint: url, otlpHeaders: headers = {} }: Pick<Config, 'otlpEndpoint' | 'otlpHeaders'>,
  log: Logger,
): SpanExporter | undefined {
  if (url === undefined) return undefined;
  const resource = {
    'service.name': 'cadastre',
    'service.version': version,
    'host.name': os.hostname(),
    'process.pid': process.pid,
  };
  return new SpanExporter({ url, headers, resource, log });
}

const MAX_TEXT_LENGTH = 300;

/**
 * A statement of a request. Those of jobs are left out: a worker polls every second, and what its jobs do is in its
 * metrics.
 */
export function addStatementSpan(
  spans: SpanExporter,
  trace: Trace | undefined,
  text: string,
  {
    startedAt,
    endedAt,
    failure,
  }: { readonly startedAt: number; readonly endedAt: number; readonly failure: unknown },
): void {
  if (trace?.requestId === undefined) return;
  spans.add({
    traceId: trace.traceId,
    spanId: newSpanId(),
    parentId: trace.spanId,
    name: 'statement',
    kind: 'client',
    startedAt,
    endedAt,
    isFailure: failure !== undefined,
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.text': text.slice(0, MAX_TEXT_LENGTH),
      'error.type': failure === undefined ? undefined : (codeOf(failure) ?? 'unknown'),
    },
  });
}
