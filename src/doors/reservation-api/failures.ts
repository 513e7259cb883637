import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isBillingRefusal } from '../../billing/refusals.ts';
import { type Refusal, type RefusalKind, Refused } from '../../operations/refusal.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { reportDatabaseFailure } from '../http/database-failure.ts';

const SHORT_WAIT_SECONDS = 1;
/** Kinds that are not answered with 400. */
const STATUSES: Readonly<Partial<Record<RefusalKind, number>>> = {
  unauthenticated: 401,
  missing: 404,
  rule: 422,
  limited: 429,
};

/** Turns whatever went wrong into the words of this API; what nobody foresaw is logged and tells the request id only. */
export function failureHandler(log: Logger, metrics: Metrics) {
  return (error: FastifyError, { id: reqId }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof Refused) return sendRefusal(reply, error.refusals[0]);
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
      return reply.code(400).send({ error: 'The request cannot be read' });
    const failure = reportDatabaseFailure(error, reqId, { log, metrics });
    if (failure === undefined) {
      log.error({ err: error, reqId }, 'unforeseen failure');
      return reply.code(500).send({ error: `Internal error, request ${reqId}` });
    }
    return sendLater(reply, 503, 'Service unavailable');
  };
}

/** The format of this API: one text. */
function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { name, kind, message, retryAfterSeconds } = refusal;
  // Whatever keeps an invoice from being issued is out of the portal's hands.
  if (isBillingRefusal(name)) return sendLater(reply, 502, 'Billing service unavailable');
  if (kind === 'unavailable') return sendLater(reply, 503, 'Service unavailable');
  if (name === 'keyReused')
    return reply.code(400).send({ error: 'Idempotency-Key was used for another request' });
  if (kind === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return reply.code(STATUSES[kind] ?? 400).send({ error: message });
}

const sendLater = (reply: FastifyReply, status: 502 | 503, error: string): FastifyReply =>
  reply.code(status).header('retry-after', String(SHORT_WAIT_SECONDS)).send({ error });
