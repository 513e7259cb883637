import type { FastifyInstance } from 'fastify';

/** Addresses for programs; those of pages use a host name, which passkeys and cookies need. */
export type SandboxAddresses = {
  readonly home: string;
  readonly docs: string;
  readonly metrics: string | undefined;
  readonly registrar_api: string;
  readonly reservation_api: string;
  readonly billing_api: string;
};

export function addressesRoute(app: FastifyInstance, addresses: () => SandboxAddresses): void {
  app.get('/sandbox', async () => addresses());
}
