import type { FastifyInstance } from 'fastify';
import { paymentPages } from './payment-pages.ts';
import { providerApi } from './provider-api.ts';
import { scriptCalls } from './scripts.ts';
import type { Simulator } from './simulator.ts';

/** All of the simulated provider: his API, his payment page, and what scripts do in place of people. */
export function providerSimulator(app: FastifyInstance, simulator: Simulator): void {
  app.addHook('preClose', () => simulator.stop());
  app.register(async (scope) => providerApi(scope, simulator));
  app.register(async (scope) => paymentPages(scope, simulator));
  scriptCalls(app, simulator);
}
