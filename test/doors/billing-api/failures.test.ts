import { PassThrough } from 'node:stream';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { noProvider } from '../../../src/billing/provider/unconfigured-provider.ts';
import { renderRefusals } from '../../../src/doors/billing-api/render-refusals.ts';
import { failureHandler } from '../../../src/doors/http/failure-handler.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { Metrics } from '../../../src/platform/metrics.ts';

test('failure: without a provider there is no link, and the answer is 502, not an internal error', async () => {
  const app = fastify();
  app.decorateReply('resultCode', null);
  app.setErrorHandler(
    failureHandler({ log: createLog('silent', new PassThrough()), metrics: new Metrics(), renderRefusals }),
  );
  app.get('/', () => noProvider.link({} as never));
  const { statusCode, headers, body } = await app.inject('/');
  expect({ statusCode, retry: headers['retry-after'], body }).toEqual({
    statusCode: 502,
    retry: '1',
    body: '{"error":"Payment provider unavailable"}',
  });
});
