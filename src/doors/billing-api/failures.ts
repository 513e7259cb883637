import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ProviderUnavailable } from '../../billing/provider/provider.ts';
import { type BillingRefusal, BillingRefused } from '../../billing/refusals.ts';
import { KeyReused } from '../../platform/idempotency.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { Refused } from '../../registry/refusals.ts';
import { reportDatabaseFailure } from '../http/database-failure.ts';

const SHORT_WAIT_SECONDS = '1';
const UNAVAILABLE = { error: 'Service unavailable' };

/** Turns whatever went wrong into the words of this API; what nobody foresaw is logged and tells the request id only. */
export function failureHandler(log: Logger, metrics: Metrics) {
  return (error: FastifyError, { id: reqId }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof BillingRefused) return sendRefusal(reply, error.refusal);
    // Where no provider is configured there are no links either.
    if (error instanceof ProviderUnavailable) return sendRefusal(reply, { kind: 'provider-away' });
    if (error instanceof KeyReused)
      return sendRefusal(reply, {
        kind: 'invalid',
        fields: { 'Idempotency-Key': ['was used for another request'] },
      });
    if (error instanceof Refused) return sendRefused(reply, error);
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
      return reply.code(error.statusCode).send({ error: 'The request cannot be read' });
    const failure = reportDatabaseFailure(error, reqId, { log, metrics });
    if (failure === undefined) {
      log.error({ err: error, reqId }, 'unforeseen failure');
      return reply.code(500).send({ error: `Internal error, request ${reqId}` });
    }
    return reply.code(503).header('retry-after', SHORT_WAIT_SECONDS).send(UNAVAILABLE);
  };
}

function sendRefusal(reply: FastifyReply, refusal: BillingRefusal): FastifyReply {
  switch (refusal.kind) {
    case 'invalid':
      return reply.code(422).send({ error: refusal.fields });
    case 'missing':
      return reply.code(404).send({ error: refusal.text });
    case 'declined':
      return reply.code(422).send({ error: { code: refusal.code, message: refusal.message } });
    case 'no-number':
      return reply.code(501).send({ message: 'Number create failed. out of range', error: 'out of range' });
    case 'provider-away':
      return reply
        .code(502)
        .header('retry-after', SHORT_WAIT_SECONDS)
        .send({ error: 'Payment provider unavailable' });
  }
}

/** The ground that this API shares with the others: reading JSON, maintenance, overload. */
function sendRefused(reply: FastifyReply, { refusals: [{ kind, message, field }] }: Refused): FastifyReply {
  if (kind === 'unavailable')
    return reply.code(503).header('retry-after', SHORT_WAIT_SECONDS).send(UNAVAILABLE);
  if (field) return reply.code(422).send({ error: { [field]: [message] } });
  return reply.code(400).send({ error: message });
}
