import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ProviderUnavailable } from '../../billing/provider/provider.ts';
import { BillingRefused } from '../../billing/refusals.ts';
import { KeyReused } from '../../platform/idempotency.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { Refused } from '../../registry/refusals.ts';
import { NoneAvailable } from '../../reservations/parts.ts';
import { reportDatabaseFailure } from '../http/database-failure.ts';

type Status = 400 | 401 | 404 | 422 | 429 | 502 | 503;

/** What the portal is told instead of an answer. */
export class PortalRefused extends Error {
  override name = 'PortalRefused';
  readonly status: Status;
  /** How long to wait before another attempt makes sense. */
  readonly seconds: number | undefined;
  constructor(status: Status, text: string, seconds?: number) {
    super(text);
    this.status = status;
    this.seconds = seconds;
  }
}

export function refusePortal(status: Status, text: string): never {
  throw new PortalRefused(status, text);
}

export function refuseUnauthorised(): never {
  throw new PortalRefused(401, 'Unauthorized');
}

export function refuseTooMany(seconds: number): never {
  throw new PortalRefused(429, 'Too many requests', seconds);
}

const SHORT_WAIT_SECONDS = 1;

/** Turns whatever went wrong into the words of this API; what nobody foresaw is logged and tells the request id only. */
export function failureHandler(log: Logger, metrics: Metrics) {
  return (error: FastifyError, { id: reqId }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refused = refusalOf(error);
    if (refused) return send(reply, refused);
    const failure = reportDatabaseFailure(error, reqId, { log, metrics });
    if (failure === undefined) {
      log.error({ err: error, reqId }, 'unforeseen failure');
      return reply.code(500).send({ error: `Internal error, request ${reqId}` });
    }
    return send(reply, unavailable());
  };
}

function refusalOf(error: FastifyError): PortalRefused | undefined {
  if (error instanceof PortalRefused) return error;
  if (error instanceof NoneAvailable) return new PortalRefused(422, 'No available domains');
  if (error instanceof KeyReused)
    return new PortalRefused(400, 'Idempotency-Key was used for another request');
  // Whatever keeps an invoice from being issued is out of the portal's hands.
  if (error instanceof ProviderUnavailable || error instanceof BillingRefused)
    return new PortalRefused(502, 'Billing service unavailable', SHORT_WAIT_SECONDS);
  if (error instanceof Refused) {
    const [{ kind, message }] = error.refusals;
    return kind === 'unavailable' ? unavailable() : new PortalRefused(400, message);
  }
  const isClients = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
  return isClients ? new PortalRefused(400, 'The request cannot be read') : undefined;
}

const unavailable = () => new PortalRefused(503, 'Service unavailable', SHORT_WAIT_SECONDS);

function send(reply: FastifyReply, { status, message, seconds }: PortalRefused): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (seconds !== undefined) reply.header('retry-after', String(seconds));
  return reply.code(status).send({ error: message });
}
