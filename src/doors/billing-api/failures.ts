import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, type Refusals, Refused } from '../../operations/refusal.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { reportDatabaseFailure } from '../http/database-failure.ts';

const SHORT_WAIT_SECONDS = '1';
const UNAVAILABLE = { error: 'Service unavailable' };

/** Turns whatever went wrong into the words of this API; what nobody foresaw is logged and tells the request id only. */
export function failureHandler(log: Logger, metrics: Metrics) {
  return (error: FastifyError, { id: reqId }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof Refused) return sendRefusals(reply, error.refusals);
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
      return reply.code(error.statusCode).send({ error: 'The request cannot be read' });
    const failure = reportDatabaseFailure(error, reqId, { log, metrics });
    if (failure === undefined) {
      log.error({ err: error, reqId }, 'unforeseen failure');
      return reply.code(500).send({ error: `Internal error, request ${reqId}` });
    }
    return sendUnavailable(reply);
  };
}

/** The format of this API: texts by field, or one text. */
function sendRefusals(reply: FastifyReply, refusals: Refusals): FastifyReply {
  const [first] = refusals;
  const { name, kind, message, field, details } = first;
  switch (name) {
    case 'noInvoiceNumber':
      return reply.code(501).send({ message: 'Number create failed. out of range', error: 'out of range' });
    case 'paymentDeclined':
      return reply.code(422).send({ error: { code: details?.providerCode, message: details?.message } });
    case 'providerAway':
      return reply
        .code(502)
        .header('retry-after', SHORT_WAIT_SECONDS)
        .send({ error: 'Payment provider unavailable' });
    case 'keyReused':
      return reply.code(422).send({ error: { [String(field)]: ['was used for another request'] } });
    case 'invalidField':
      return reply.code(422).send({ error: textsByField(refusals) });
  }
  if (kind === 'unavailable') return sendUnavailable(reply);
  if (kind === 'missing') return reply.code(404).send({ error: message });
  return field === null
    ? reply.code(400).send({ error: message })
    : reply.code(422).send({ error: textsByField([first]) });
}

function textsByField(refusals: readonly Refusal[]): Readonly<Record<string, readonly string[]>> {
  const texts: Record<string, string[]> = {};
  for (const { field, message } of refusals) {
    const place = field ?? 'body';
    texts[place] = [...(texts[place] ?? []), message];
  }
  return texts;
}

const sendUnavailable = (reply: FastifyReply): FastifyReply =>
  reply.code(503).header('retry-after', SHORT_WAIT_SECONDS).send(UNAVAILABLE);
