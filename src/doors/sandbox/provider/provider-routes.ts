import type { FastifyInstance } from 'fastify';
import { paymentPages } from './payment-pages.ts';
import { providerApi } from './provider-api.ts';
import { scriptCalls } from './scripts.ts';
import type { Simulator } from './simulator.ts';

/** The whole simulated provider: its API, its payment page, and its script calls. */
export function providerSimulator(app: FastifyInstance, simulator: Simulator): void {
  app.addHook('preClose', () => simulator.stop());
  app.register(async (scope) => providerApi(scope, simulator));
  app.register(async (scope) => paymentPages(scope, simulator));
  scriptCalls(app, simulator);
}
