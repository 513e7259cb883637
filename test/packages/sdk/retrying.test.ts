import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { describe, test } from 'vitest';
import {
  ConnectionError,
  Refusal,
  UnavailableError,
  UnexpectedAnswerError,
} from '../../../packages/sdk/src/index.ts';
import { DEFAULT_RETRY_POLICY, waitBefore } from '../../../packages/sdk/src/retry-policy.ts';
import { readPage } from '../../docs/markdown.ts';
import { freePort } from '../../support/free-port.ts';
import { expect } from '../../support/this-test.ts';
import { clientOf, QUICK } from './clients.ts';
import { ok, refused, type Step, startScriptedServer } from './scripted-server.ts';

const renewal = { period: 1, period_unit: 'y', exp_date: '2031-01-16' } as const;
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** What the guide says: a row per answer, and whether the same request is to be sent again. */
function guide(): { answers: string[]; isRepeated: boolean }[] {
  const [, table = ''] = readPage('docs/integrate/retrying.md').split('## What an answer means');
  const rows =
    table.split('\n## ')[0]?.matchAll(/^\| ((?:\d{3}|none)(?:, \d{3})*) \|[^|]*\| ?([^|]*) ?\|$/gm) ?? [];
  return Array.from(rows, ([, answers = '', advice = '']) => ({
    answers: answers.split(', '),
    isRepeated: /\brepeat\b/.test(advice),
  }));
}

const stepFor = (answer: string): Step =>
  answer === 'none'
    ? 'break'
    : answer === '200'
      ? ok()
      : refused(Number(answer), ['401', '500', '503'].includes(answer) ? undefined : 'wrongSyntax');

describe.concurrent('repetitions', () => {
  test('success: the retried answers are those of docs/integrate/retrying.md', async () => {
    const rows = guide().flatMap(({ answers, isRepeated }) =>
      answers.map((answer) => ({ answer, isRepeated })),
    );
    expect(rows.map(({ answer }) => answer)).toEqual(
      expect.arrayContaining([
        '200',
        '400',
        '401',
        '403',
        '404',
        '410',
        '429',
        '500',
        '502',
        '503',
        '504',
        'none',
      ]),
    );
    for (const { answer, isRepeated } of rows)
      for (const call of ['renew', 'read'] as const) {
        const { url, received } = await startScriptedServer(stepFor(answer), ok());
        const client = clientOf(url);
        await (call === 'renew' ? client.domains.renew('a.ee', renewal) : client.domains.read('a.ee')).catch(
          () => undefined,
        );
        expect([answer, call, received.length]).toEqual([answer, call, isRepeated ? 2 : 1]);
      }
  });

  const failing: [string, Step][] = [
    ['by an aborted answer', 'break within'],
    ['never', 'hang'],
    ['by a page of a proxy', { status: 503, body: '<html>' }],
    ['by a truncated answer', { status: 200, body: '{"code":1000,"data":{' }],
  ];
  test.each(failing)('success: a change that is answered %s is retried with its key', async (_what, step) => {
    const { url, received } = await startScriptedServer(step, step, ok({ domain: { name: 'a.ee' } }));
    const attempts: (number | undefined)[] = [];
    const client = clientOf(url, 'alpha', {
      ...(step === 'hang' && { timeoutMs: 2_000 }),
      onAttempt: ({ attempt, status }) => attempts.push(attempt, status),
    });
    const { data, meta } = await client.domains.renew('a.ee', renewal);
    const seen = typeof step === 'string' ? undefined : step.status;
    expect(attempts).toEqual([1, seen, 2, seen, 3, 200]);
    expect([data, meta.attempts]).toEqual([{ domain: { name: 'a.ee' } }, 3]);
    const [first, second, third] = received;
    expect(first?.headers['idempotency-key']).toBe(meta.key);
    for (const repetition of [second, third]) {
      expect(repetition).toMatchObject({
        method: 'POST',
        url: '/registry/v1/domains/a.ee/renew',
        body: first?.body,
      });
      expect(repetition?.headers['idempotency-key']).toBe(meta.key);
    }
    expect(new Set(received.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });

  test('failure: after the last attempt the error has the key for a retry', async () => {
    const { url, received } = await startScriptedServer(refused(503));
    const error = await failureOf(clientOf(url).domains.renew('a.ee', renewal, { key: 'order-1' }).result());
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ status: 503, key: 'order-1', attempts: 5 });
    expect(received).toHaveLength(5);
  });

  test('failure: a registry that cannot be reached', async () => {
    const client = clientOf(`http://127.0.0.1:${await freePort()}`, 'alpha', {
      retry: { ...QUICK, retries: 1 },
    });
    const error = await failureOf(client.billing.balance());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ status: undefined, attempts: 2, cause: { code: 'ECONNREFUSED' } });
  });

  test('failure: a Retry-After beyond the maximum wait is not waited for', async () => {
    const { url, received } = await startScriptedServer(
      refused(429, 'tooManyWrongCodes', { 'retry-after': '3600' }),
    );
    const error = await failureOf(clientOf(url).domains.read('a.ee'));
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ reason: 'tooManyWrongCodes', retryAfterSeconds: 3600, attempts: 1 });
    expect(received).toHaveLength(1);
  });

  test.each([
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' } }],
    ['the page of another server', { status: 404, body: '<html>' }],
  ])('failure: %s is neither followed nor repeated', async (_what, step) => {
    const { url, received } = await startScriptedServer(step);
    expect(await failureOf(clientOf(url).billing.balance())).toBeInstanceOf(UnexpectedAnswerError);
    expect(received).toHaveLength(1);
  });
});

describe.concurrent('the end of a call', () => {
  test('success: a signal aborts it while it waits for the next attempt', async () => {
    const { url, received } = await startScriptedServer(refused(503, undefined, { 'retry-after': '50' }));
    const controller = new AbortController();
    const client = clientOf(url, 'alpha', {
      onAttempt: () => setImmediate(() => controller.abort(new Error('enough'))),
    });
    const error = await failureOf(client.billing.balance({}, { signal: controller.signal }));
    expect(error).toMatchObject({ message: 'enough' });
    expect(received).toHaveLength(1);
  });

  test('success: a signal aborts it while it waits for an answer, and before it begins', async () => {
    const { url, received } = await startScriptedServer('hang');
    const controller = new AbortController();
    const { signal } = controller;
    const unanswered = failureOf(clientOf(url).billing.balance({}, { signal }));
    await expect.poll(() => received.length).toBe(1);
    controller.abort(new Error('enough'));
    expect(await unanswered).toMatchObject({ message: 'enough' });
    expect(await failureOf(clientOf(url).billing.balance({}, { signal }))).toMatchObject({
      message: 'enough',
    });
    expect(received).toHaveLength(1);
  });

  test.each([
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
  ])('success: an answer compressed with %s', async (encoding, compress) => {
    const plain = ok() as { status: number; body: string };
    const { url } = await startScriptedServer({
      status: 200,
      headers: { 'content-encoding': encoding },
      body: compress(plain.body),
    });
    expect((await clientOf(url).billing.balance()).data.balance).toBe('1.00');
  });

  test.each([
    ['gzip', () => zlib.createGzip()],
    ['br', () => zlib.createBrotliCompress()],
  ])(
    'failure: a small answer that becomes 50 MB by %s is not read to its end',
    async (encoding, compressor) => {
      const zeros = Readable.from(Array<Buffer>(50).fill(Buffer.alloc(1_000_000)));
      const bomb = await buffer(zeros.pipe(compressor()));
      const { url, received } = await startScriptedServer({
        status: 200,
        headers: { 'content-encoding': encoding },
        body: bomb,
      });
      const failure = await failureOf(
        clientOf(url, 'alpha', { maxAnswerBytes: 1_000_000 }).billing.balance(),
      );
      expect(failure).toBeInstanceOf(ConnectionError);
      expect(failure).toMatchObject({ message: expect.stringContaining('more than 1000000 bytes') });
      expect(received).toHaveLength(1);
    },
  );

  test('failure: an answer without an end is not read beyond the limit, and its connection is closed', async () => {
    const { url, received } = await startScriptedServer('endless');
    const failure = await failureOf(clientOf(url, 'alpha', { maxAnswerBytes: 1_000_000 }).billing.balance());
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ message: expect.stringContaining('more than 1000000 bytes') });
    await expect.poll(() => received[0]?.isClosed()).toBe(true);
    expect(received).toHaveLength(1);
  });

  test('success: an answer as large as the limit', async () => {
    const data = { balance: '1.00', currency: 'E'.repeat(100_000) };
    const { body } = ok(data) as { body: string };
    const { url } = await startScriptedServer(ok(data));
    const { billing } = clientOf(url, 'alpha', { maxAnswerBytes: body.length });
    expect((await billing.balance()).data.currency).toHaveLength(100_000);
    const { billing: smaller } = clientOf(url, 'alpha', { maxAnswerBytes: body.length - 1 });
    expect(await failureOf(smaller.balance())).toBeInstanceOf(ConnectionError);
  });

  test('success: a custom transport gets the requests of the client', async () => {
    const sent: string[] = [];
    const transport = {
      send: async ({ method, url, headers }: { method: string; url: URL; headers: object }) => {
        sent.push(`${method} ${url.href} ${'authorization' in headers}`);
        return { status: 200, headers: {}, body: Buffer.from('{"message":"","data":{"balance":"2.00"}}') };
      },
      close: () => undefined,
    };
    const client = clientOf('https://registry.example/', 'alpha', { transport });
    expect((await client.billing.balance({ from: '2030-01-15' })).data.balance).toBe('2.00');
    expect(sent).toEqual(['GET https://registry.example/registry/v1/accounts/balance?from=2030-01-15 true']);
  });
});

describe('waits', () => {
  const wait = (attempts: number, random: number, retryAfterSeconds?: number) =>
    waitBefore(DEFAULT_RETRY_POLICY, { attempts, retryAfterSeconds }, random);

  test('success: one second, two, four and so on, with jitter, up to a minute', () => {
    expect([1, 2, 3, 4].map((attempts) => wait(attempts, 0))).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect([1, 2].map((attempts) => wait(attempts, 1))).toEqual([1_500, 3_000]);
    expect(waitBefore({ ...DEFAULT_RETRY_POLICY, retries: 20 }, { attempts: 10 }, 1)).toBe(60_000);
    expect(wait(5, 0)).toBeUndefined();
  });

  test('success: at least as long as Retry-After says', () => {
    expect(wait(1, 0, 12)).toBe(12_000);
    expect(wait(1, 1, 12)).toBe(12_500);
    expect(wait(1, 0, 60)).toBe(60_000);
    expect(wait(1, 0, 61)).toBeUndefined();
    expect(wait(3, 0, 1)).toBe(4_000);
  });
});
