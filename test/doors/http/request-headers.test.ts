import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, parseAnswers } from '../../support/raw-http.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

async function ask(...lines: string[]) {
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const answers = parseAnswers(
    await exchange(Number(new URL(registry.url).port), [bytes], { silenceMs: 5_000 }),
  );
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  return { status: answer?.status, headers: answer?.headers, body: JSON.parse(answer?.body ?? '') };
}

describe('the Host header', () => {
  test.each([
    ['two of them', ['Host: localhost', 'Host: other.example']],
    ['the same twice, in another case', ['Host: localhost', 'HOST: localhost']],
    ['none', []],
    ['an empty one', ['Host:']],
    ['a space in it', ['Host: local host']],
    ['an address', ['Host: http://localhost/']],
    ['credentials in it', ['Host: user@localhost']],
    ['two hosts in one', ['Host: localhost, other.example']],
    ['a port that is not a number', ['Host: localhost:x']],
    ['an open bracket', ['Host: [::1']],
    ['bytes that are not ASCII', ['Host: \u00e4.example']],
  ])('failure: %s is malformed, at every interface', async (_what, headers) => {
    for (const path of ['/registry/v1/contacts', '/api/v1/x', '/health', '/sandbox/clock', '/nowhere']) {
      const answer = await ask(`GET ${path} HTTP/1.1`, ...headers);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 2001, data: {}, errors: [{ code: 2001, field: null }] },
      });
      expect(answer.headers?.get('x-request-id')).toMatch(/^\S{1,128}$/);
      expect(answer.headers?.get('connection')).toBe('close');
      expect(answer.headers?.get('cache-control')).toBe('no-store');
    }
  });

  test.each(['localhost', 'LOCALHOST:80', '127.0.0.1:8080', '[::1]', '[::1]:8080', 'registry.example.'])(
    'success: %s',
    async (host) => {
      const answer = await ask('GET /health HTTP/1.1', `Host: ${host}`, 'Connection: close');
      expect(answer.status).toBe(200);
    },
  );

  test('success: HTTP/1.0 is accepted without one, and refused with two', async () => {
    expect((await ask('GET /health HTTP/1.0')).status).toBe(200);
    expect((await ask('GET /health HTTP/1.0', 'Host: a.example', 'Host: b.example')).status).toBe(400);
  });
});

describe('the Authorization header', () => {
  const credentials = (user: string) =>
    `Basic ${Buffer.from(`${user}:${user}-sandbox-password`).toString('base64')}`;
  const [alpha, beta] = [credentials('alpha'), credentials('beta')];

  test.each([
    ['two users', [`Authorization: ${alpha}`, `Authorization: ${beta}`]],
    ['the same twice, in another case', [`Authorization: ${alpha}`, `AUTHORIZATION: ${alpha}`]],
    ['an empty one before another', ['Authorization:', `Authorization: ${alpha}`]],
  ])('failure: %s is malformed, at every interface', async (_what, headers) => {
    for (const path of [
      '/registry/v1/accounts/balance',
      '/api/v1/business_registry/long_reservations/x',
      '/api/v1/invoice_generator/deposit_status',
      '/rdap/help',
      '/console',
      '/health',
    ])
      expect(await ask(`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers)).toMatchObject({
        status: 400,
        body: { code: 2001, errors: [{ code: 2001, field: null }] },
      });
    expect((await ask('GET /health HTTP/1.0', ...headers)).status).toBe(400);
  });

  test('success: one', async () => {
    const lines = ['Host: localhost', `AUTHORIZATION: ${alpha}`, 'Connection: close'];
    expect((await ask('GET /registry/v1/accounts/balance HTTP/1.1', ...lines)).status).toBe(200);
  });
});
