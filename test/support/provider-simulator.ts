import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { inject } from 'vitest';
import { everyPay } from '../../src/billing/provider/everypay.ts';
import { Faults } from '../../src/doors/sandbox/faults.ts';
import { fontRoutes } from '../../src/doors/pages/font-routes.ts';
import { providerSimulator } from '../../src/doors/sandbox/provider/provider-routes.ts';
import {
  openSimulator,
  prepareSimulator,
  SIMULATOR_PATH,
} from '../../src/doors/sandbox/provider/simulator.ts';
import { readJson } from '../../src/doors/sandbox/read-json.ts';
import { guardRequests, ownHosts } from '../../src/doors/sandbox/request-guard.ts';
import { MovableClock } from '../../src/platform/clock/movable-clock.ts';
import { connectAsOwner } from './connect-as-owner.ts';
import { createTestDatabase } from './registry.ts';
import { onTestFinished } from './this-test.ts';

export const keys = { user: 'us', secret: 'our-secret', account: 'EUR-test', linkToken: 'our-link-token' };
export type Callback = Readonly<Record<string, string>>;

/** The provider alone, and a merchant that records its callbacks and answers them with the given status. */
export async function startProvider() {
  const { name, drop } = await createTestDatabase();
  const db = await connectAsOwner({ ...inject('server'), database: name });
  await prepareSimulator(db);
  const clock = new MovableClock(0);
  const faults = new Faults();
  const failures: unknown[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const merchant = {
    callbacks: [] as Callback[],
    answers: [] as number[],
    /** What it waits for before it answers. */
    silence: Promise.resolve(),
  };
  const app = fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  const simulator = openSimulator({
    ...keys,
    sql: db,
    clock,
    faults,
    payee: 'Näidisregister & Co',
    currency: 'EUR',
    url: () => app.listeningOrigin + SIMULATOR_PATH,
    callbackUrl: () => `${app.listeningOrigin}/callback`,
    report: (error) => failures.push(error),
  });
  app.get('/callback', async (request, reply) => {
    merchant.callbacks.push(request.query as Callback);
    await Promise.race([merchant.silence, ended]);
    return reply.code(merchant.answers.shift() ?? 200).send({});
  });
  app.get('/shop', async (_request, reply) =>
    reply.type('text/html').send('<title>Shop</title><h1>Back</h1>'),
  );
  fontRoutes(app);
  for (const icon of ['/favicon.svg', '/favicon.ico'])
    app.get(icon, async (_request, reply) => reply.code(204).send());
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, parsed) =>
      parsed(null, readJson(String(text))),
    );
    const port = () => (app.server.address() as AddressInfo).port;
    guardRequests(scope, ownHosts({ host: '127.0.0.1', publicUrl: undefined, exposed: false, port }));
    providerSimulator(scope, simulator);
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const url = origin + SIMULATOR_PATH;
  return {
    sql: db,
    clock,
    faults,
    merchant,
    simulator,
    origin,
    url,
    failures,
    /** As the registry talks to it. */
    provider: everyPay({ ...keys, url, linkUrl: `${url}/lp` }),
    stop: async () => {
      end();
      await app.close();
      await db.close();
      await drop();
    },
  };
}
export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

export async function providerForThisTest(): Promise<TestProvider> {
  const provider = await startProvider();
  onTestFinished(() => provider.stop());
  return provider;
}

/** A script call: the status and what was answered. */
export async function call(url: string, body: unknown): Promise<[number, Record<string, string>]> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [reply.status, (await reply.json()) as Record<string, string>];
}

export const linkOrder = (invoiceNumber: number, customerName: string | null = 'Mari Õun OÜ') => ({
  invoiceNumber,
  amount: 2000n,
  customerName,
  customerEmail: 'mari@example.ee',
  customField1: '5e03f248-6',
  customField2: 'business_registry',
  referenceNumber: null,
});
export const oneoffOrder = (orderReference: string, customerUrl = 'https://portal.example/back?a=1') => ({
  amount: 2010n,
  orderReference,
  customerUrl,
  referenceNumber: '1232',
});
