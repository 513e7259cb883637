import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCode, newContact } from '../../support/contacts.ts';
import { exchange, parseAnswers } from '../../support/raw-http.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const CONTACTS = '/registry/v1/contacts';
const authorization = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', ...JSON_TYPE };
const newBody = () => JSON.stringify(newContact({ id: freshCode() }));

/** Announces a body, and sends it when it is told to go on. */
async function announce(path: string, headers: Record<string, string>, body = newBody()) {
  let isContinued = false;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(registry.url + path, {
      method: 'POST',
      headers: {
        expect: '100-continue',
        connection: 'keep-alive',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    });
    sent.on('continue', () => {
      isContinued = true;
      sent.end(body);
    });
    sent.on('response', resolve).on('error', reject).flushHeaders();
  });
  await text(answer);
  return { status: answer.statusCode, isContinued, connection: answer.headers.connection };
}

test('success: a client that waits is told to send a body that is read', async () => {
  expect(await announce(CONTACTS, { authorization, ...JSON_TYPE })).toEqual({
    status: 200,
    isContinued: true,
    connection: 'keep-alive',
  });
});

test.each([
  ['without credentials', CONTACTS, JSON_TYPE, 401],
  ['with wrong ones', CONTACTS, { authorization: 'Basic eDp5', ...JSON_TYPE }, 401],
  ['to an unknown path', '/registry/v1/nowhere', { authorization, ...JSON_TYPE }, 404],
  ['of a type that the console does not read', '/console/login', SAME_ORIGIN, 415],
  ['that is too large', CONTACTS, { authorization, 'content-length': '9999999', ...JSON_TYPE }, 400],
  ['of another API without credentials', '/api/v1/invoice_generator/deposit_status', JSON_TYPE, 401],
])(
  'failure: a body %s is refused without it, and ends the connection',
  async (_what, path, headers, status) => {
    expect(await announce(path, headers)).toEqual({ status, isContinued: false, connection: 'close' });
  },
);

test('success: a client that does not wait is not told', async () => {
  const body = newBody();
  const head = [
    `POST ${CONTACTS} HTTP/1.1`,
    'Host: localhost',
    'Expect: 100-continue',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  const sent = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  const received = await exchange(Number(new URL(registry.url).port), [sent], { silenceMs: 20_000 });
  expect(received.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
  expect(parseAnswers(received)).toHaveLength(1);
});
