import { PassThrough } from 'node:stream';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { noProvider } from '../../../src/billing/provider/away.ts';
import { failureHandler } from '../../../src/doors/billing-api/failures.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { Metrics } from '../../../src/platform/metrics.ts';

test('failure: without a provider there is no link, and that is told as 502, not as a fault of ours', async () => {
  const app = fastify();
  app.setErrorHandler(failureHandler(createLog('silent', new PassThrough()), new Metrics()));
  app.get('/', () => noProvider.link({} as never));
  const { statusCode, headers, body } = await app.inject('/');
  expect({ statusCode, retry: headers['retry-after'], body }).toEqual({
    ...{ statusCode: 502, retry: '1', body: '{"error":"Payment provider unavailable"}' },
  });
});
