import { gzipSync } from 'node:zlib';
import { describe, test } from 'vitest';
import { ConnectionError, Registry, UnexpectedAnswerError } from '../../../packages/sdk/src/fetch.ts';
import { freePort } from '../../support/free-port.ts';
import { expect } from '../../support/this-test.ts';
import { QUICK } from './clients.ts';
import { ok, refused, type Step, startScriptedServer } from './scripted-server.ts';

const BALANCE = { balance: '1.00', currency: 'EUR' };

const clientOf = (baseUrl: string, options: object = {}): Registry =>
  new Registry({ baseUrl, username: 'alpha', password: 'ä-password', retry: QUICK, ...options });

/** The same rules as over node:http, which retrying.test.ts examines. */
describe.concurrent('the client over fetch', () => {
  test('success: it sends the same request', async () => {
    const { url, received } = await startScriptedServer(ok({ domain: { name: 'a.ee' } }));
    const renewal = { period: 1, period_unit: 'y', exp_date: '2031-01-16' } as const;
    const options = { key: 'order-1', dryRun: true };
    const { data, meta } = await clientOf(url).domains.renew('a.ee', renewal, options);
    expect([data, meta.attempts, meta.key]).toEqual([{ domain: { name: 'a.ee' } }, 1, 'order-1']);
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/registry/v1/domains/a.ee/renew',
        body: JSON.stringify({ renews: renewal }),
        headers: {
          authorization: `Basic ${Buffer.from('alpha:ä-password').toString('base64')}`,
          'content-type': 'application/json',
          'idempotency-key': 'order-1',
          'dry-run': 'true',
          'user-agent': expect.stringMatching(/^cadastre-sdk\//),
        },
      },
    ]);
  });

  const recovered: [string, Step][] = [
    ['503', refused(503)],
    ['no answer', 'break'],
    ['an answer that breaks off', 'break within'],
    ['an answer that never comes', 'hang'],
    ['the page of a proxy', { status: 504, body: '<html>' }],
  ];
  test.each(recovered)('success: after %s it is repeated', async (_what, step) => {
    const { url, received } = await startScriptedServer(step, ok());
    const { data, meta } = await clientOf(url, step === 'hang' ? { timeoutMs: 1_000 } : {}).billing.balance();
    expect([data, meta.attempts, received.length]).toEqual([BALANCE, 2, 2]);
  });

  test('success: a compressed answer', async () => {
    const body = gzipSync(JSON.stringify({ code: 1000, message: '', data: BALANCE }));
    const { url } = await startScriptedServer({ status: 200, headers: { 'content-encoding': 'gzip' }, body });
    expect((await clientOf(url).billing.balance()).data).toEqual(BALANCE);
  });

  test('failure: a registry that cannot be reached', async () => {
    const client = clientOf(`http://127.0.0.1:${await freePort()}`, { retry: { ...QUICK, retries: 1 } });
    const error: unknown = await client.billing.balance().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ attempts: 2, cause: { code: 'ECONNREFUSED' } });
  });

  test('failure: an answer above the limit is not asked for again', async () => {
    const { url, received } = await startScriptedServer('endless');
    const error: unknown = await clientOf(url, { maxAnswerBytes: 100_000 })
      .billing.balance()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ attempts: 1, cause: { code: 'ERR_ANSWER_TOO_LARGE' } });
    await expect.poll(() => received[0]?.isClosed()).toBe(true);
  });

  test('failure: a redirect is not followed', async () => {
    const { url, received } = await startScriptedServer({ status: 302, headers: { location: '/elsewhere' } });
    await expect(clientOf(url).billing.balance()).rejects.toThrow(UnexpectedAnswerError);
    expect(received).toHaveLength(1);
  });

  test('success: a signal ends the call', async () => {
    const { url } = await startScriptedServer('hang');
    const controller = new AbortController();
    const call = clientOf(url).billing.balance({}, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});
