import https from 'node:https';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inFiles, selfSigned } from '../../support/certificates.ts';
import { exchange, parseAnswers } from '../../support/raw-http.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { startServer } from '../../support/secure-server.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const basic = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;

describe('the headers of every answer', () => {
  test.each([
    ['GET', '/registry/v1/accounts/balance', { authorization: basic }, 200],
    ['GET', '/registry/v1/accounts/balance', {}, 401],
    ['GET', '/registry/v1/nowhere', { authorization: basic }, 404],
    ['DELETE', '/registry/v1/contacts', { authorization: basic }, 405],
    ['GET', '/api/v1/business_registry/long_reservations/x', {}, 401],
    ['POST', '/api/v1/invoice_generator/deposit_status', {}, 401],
    ['GET', '/sandbox/clock', {}, 200],
    ['GET', '/sandbox/mail/1', {}, 404],
    ['POST', '/sandbox/clock', {}, 400],
    ['GET', '/health', {}, 200],
    ['GET', '/ready', {}, 200],
    ['GET', '/nowhere', {}, 404],
    ['GET', '/', {}, 200],
  ] as const)('success: %s %s %o', async (method, path, headers, status) => {
    const reply = await fetch(registry.url + path, { method, headers });
    expect(reply.status).toBe(status);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // With no-referrer a browser would send a null Origin with the form of the home page.
      'referrer-policy': path === '/' ? 'same-origin' : 'no-referrer',
    });
    expect(reply.headers.has('strict-transport-security')).toBe(false);
  });

  test('success: cacheable answers have their own Cache-Control', async () => {
    for (const [path, cacheControl] of [
      ['/openapi.json', 'no-cache'],
      ['/docs', 'no-cache'],
      ['/favicon.svg', 'public, max-age=86400'],
    ] as const) {
      const { headers } = await fetch(registry.url + path);
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        cacheControl,
        'nosniff',
      ]);
    }
  });

  test('success: malformed requests are answered with them too', async () => {
    const sent = [Buffer.from('NONSENSE\r\n\r\n')];
    const [answer] = parseAnswers(
      await exchange(Number(new URL(registry.url).port), sent, { silenceMs: 5_000 }),
    );
    expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('success: with TLS of the server itself there is HSTS, without subdomains', async () => {
    const { tlsKeyFile, tlsCertificateFile } = await inFiles(await selfSigned('registry.example'));
    const server = await startServer({ tlsKeyFile, tlsCertificateFile }, { now: () => new Date() });
    onTestFinished(() => server.stop());
    for (const path of ['/health', '/registry/v1/contacts', '/nowhere', '/docs']) {
      const headers = await new Promise((resolve, reject) => {
        https
          .get(server.url + path, { rejectUnauthorized: false, agent: false }, (response) => {
            response.resume();
            resolve(response.headers);
          })
          .on('error', reject);
      });
      expect(headers).toMatchObject({ 'strict-transport-security': 'max-age=31536000' });
    }
  });
});
