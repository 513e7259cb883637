import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ServiceName, serviceNames } from '../../billing/deliveries/service-sender.ts';
import type { Faults } from './faults.ts';
import { sendBadRequest } from './read-json.ts';

export type Services = {
  readonly received: ReceivedMessages;
  /** The secrets that each service shares with the registry. */
  readonly secrets: Readonly<Record<ServiceName, readonly string[]>>;
};
export type ServicePowers = { readonly faults: Faults; readonly services: Services };

const SLOW_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/** The messages that arrived at a service, and how often: at least once, under one id. */
export class ReceivedMessages {
  readonly #times = new Map<ServiceName, Map<string, number>>();

  note(service: ServiceName, id: string): void {
    const times = this.#times.get(service) ?? new Map<string, number>();
    this.#times.set(service, times.set(id, (times.get(id) ?? 0) + 1));
    const [oldest] = times.keys();
    if (times.size > MAX_REMEMBERED && oldest !== undefined) times.delete(oldest);
  }

  /** In the order of their first arrival. */
  list(service: ServiceName): { id: string; times: number }[] {
    return Array.from(this.#times.get(service) ?? [], ([id, times]) => ({ id, times }));
  }

  clear(): void {
    this.#times.clear();
  }
}

/** Simulates the services that issue invoices: they verify the token and accept the message. */
export function serviceRoutes(app: FastifyInstance, { faults, services }: ServicePowers): void {
  const { received, secrets } = services;
  app.put('/sandbox/services/:name', async (request, reply) => {
    const service = serviceOf(request);
    if (!service) return reply.code(404).send({ error: 'There is no such service.' });
    const fault = faults.next('service');
    if (fault === 'down') {
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    if (fault === 'slow') await sleep(SLOW_MS);
    if (fault === 'error') return reply.code(500).send({ error: 'A fault of the sandbox.' });
    if (!(await isFromBilling(request.headers.authorization, secrets[service])))
      return reply.code(401).send({ message: 'Access denied' });
    const id = request.headers['idempotency-key'];
    if (typeof id !== 'string' || request.body === undefined)
      return sendBadRequest(reply, 'Give an Idempotency-Key and a body in JSON.');
    received.note(service, id);
    return { message: 'ok' };
  });

  app.get('/sandbox/services/:name', async (request, reply) => {
    const service = serviceOf(request);
    return service ? received.list(service) : reply.code(404).send({ error: 'There is no such service.' });
  });
}

function serviceOf({ params }: FastifyRequest): ServiceName | undefined {
  return serviceNames.find((known) => known === (params as { name: string }).name);
}

async function isFromBilling(
  authorization: string | undefined,
  secrets: readonly string[],
): Promise<boolean> {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '';
  const { jwtVerify } = await import('jose');
  for (const secret of secrets) {
    const read = await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] }).catch(
      () => undefined,
    );
    if (read?.payload.initiator === 'billing') return true;
  }
  return false;
}
