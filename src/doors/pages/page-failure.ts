import type { FastifyError } from 'fastify';
import { Refused } from '../../operations/refusal.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { classifyDatabaseError } from '../../platform/database/database-errors.ts';
import { reportDatabaseFailure } from '../database-failure.ts';

/** What a page tells of a failure. */
export type PageFailure = {
  readonly notice: 'notUnderstood' | 'unavailable' | 'fault';
  readonly status: number;
};

/** Suited to a person rather than a program. */
export const RETRY_SECONDS = 60;

export function pageFailureOf(error: FastifyError): PageFailure {
  // Errors of fastify itself concern the form: too large, wrong type, wrong length, or aborted.
  if (error.statusCode !== undefined && error.statusCode < 500)
    return { notice: 'notUnderstood', status: error.statusCode };
  return isTemporary(error) ? { notice: 'unavailable', status: 503 } : { notice: 'fault', status: 500 };
}

const isTemporary = (error: Error): boolean =>
  error instanceof Refused
    ? error.refusals[0].kind === 'unavailable'
    : classifyDatabaseError(error) !== undefined;

export function reportPageFailure(
  error: FastifyError,
  status: number,
  reqId: string,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): void {
  if (status === 503) reportDatabaseFailure(error, reqId, { log, metrics });
  if (status === 500) log.error({ err: error, reqId }, 'unexpected error');
}
