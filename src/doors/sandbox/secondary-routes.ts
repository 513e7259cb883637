import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import { members, sendBadRequest } from './read-json.ts';

export type SecondaryPowers = {
  readonly notifySecondary?: ((address: string, port: number) => void) | undefined;
};

const isLoopback = addressMatcher(['127.0.0.0/8', '::1/128']);

/** Registers a DNS server on this machine for NOTIFY. */
export function secondaryRoutes(app: FastifyInstance, powers: SecondaryPowers): void {
  app.post('/sandbox/secondaries', async (request, reply) => {
    const { host, port } = members(request);
    if (typeof host !== 'string' || isIP(host) === 0 || !isLoopback(host))
      return sendBadRequest(reply, 'Give {"host": an address of loopback, "port": a number}.');
    if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
      return sendBadRequest(reply, 'port is a number from 1 to 65535.');
    const { notifySecondary } = powers;
    if (!notifySecondary) return reply.code(404).send({ error: 'DNS is closed: DNS_PORT is off.' });
    notifySecondary(host, port);
    return { host, port };
  });
}
