import fastify, { type FastifyInstance } from 'fastify';
import { type PageDependencies, pageRoutes } from '../../src/doors/pages/routes.ts';
import { documentsByName } from '../support/endpoints.ts';

export const NOW = new Date('2031-05-06T07:08:09.000Z');

/** The documents of the real APIs. */
export const realApis = documentsByName();

/** A server that has the pages and nothing else but stubs of what the home page links to. */
export function pageServer(changes: Partial<PageDependencies> = {}): FastifyInstance {
  const app = fastify({ exposeHeadRoutes: false });
  pageRoutes(app, {
    mode: 'sandbox',
    admitSearch: () => ({ isAdmitted: true, ofNetwork: 1 }),
    version: '1.2.3',
    apis: {
      registrar: () => realApis.registrar,
      reservation: () => realApis.reservation,
      billing: () => realApis.billing,
    },
    origin: () => (app.server.listening ? app.listeningOrigin : 'http://registry.test'),
    now: () => NOW,
    metricsUrl: () => 'http://127.0.0.1:18080/metrics',
    credentials: [
      { registrar: 'ALPHA', username: 'alpha', password: 'alpha-secret', roles: 'super', balance: '100.00' },
      { registrar: 'BETA', username: 'beta', password: 'beta-secret', roles: 'billing', balance: '5.00' },
    ],
    keys: [{ what: 'Token of the business portal', key: 'a-token' }],
    links: [
      { what: 'The clock', path: '/sandbox/clock' },
      { what: 'Back to the seed', path: '/sandbox/reset' },
    ],
    ...changes,
  });
  for (const path of ['/health', '/ready', '/sandbox/clock']) app.get(path, async () => ({}));
  for (const path of ['/sandbox/clock', '/sandbox/reset']) app.post(path, async () => ({}));
  return app;
}
