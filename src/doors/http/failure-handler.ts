import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type NamedRefusal, type NamedRefusals, nameRefusals } from '../../operations/named-refusal.ts';
import { Refused } from '../../operations/refusal.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { reportDatabaseFailure } from '../database-failure.ts';
import { type RenderedRefusals, sendRefusals } from './http-answer.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { refusal } from './request-refusals.ts';

type Dependencies = {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly renderRefusals: (refusals: NamedRefusals, request: FastifyRequest) => RenderedRefusals;
};

/**
 * Turns any error into refusals in the API's format; an unexpected one is logged, and the client gets its request id
 * only.
 */
export function failureHandler({ log, metrics, renderRefusals }: Dependencies) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { id, routeOptions } = request;
    const refusals: NamedRefusals =
      error instanceof Refused
        ? nameRefusals(error.refusals, {})
        : [
            ofHttp(error, routeOptions.bodyLimit) ??
              ofDatabase(error, id, { log, metrics }) ??
              ofFault(error, id, log),
          ];
    return sendRefusals(reply, renderRefusals(refusals, request));
  };
}

/** Errors that fastify found in the body, such as a client that disconnects in the middle of it. */
function ofHttp({ code, statusCode }: FastifyError, bodyLimit = MAX_BODY_BYTES): NamedRefusal | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refusal('bodyTooLarge', { mebibytes: bodyLimit / 1024 ** 2 });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refusal('unreadableMediaType');
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? refusal('malformedRequest')
    : undefined;
}

function ofDatabase(
  error: FastifyError,
  id: string,
  reporting: { readonly log: Logger; readonly metrics: Metrics },
): NamedRefusal | undefined {
  const failure = reportDatabaseFailure(error, id, reporting);
  return failure && refusal(failure === 'unavailable' ? 'databaseAway' : 'overload');
}

function ofFault(error: FastifyError, id: string, log: Logger): NamedRefusal {
  log.error({ err: error, reqId: id }, 'unexpected error');
  return refusal('fault', { requestId: id });
}
