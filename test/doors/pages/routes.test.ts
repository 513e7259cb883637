import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { pageServer, realApis } from '../../pages/fixture.ts';

const app = pageServer();
const production = pageServer({ mode: 'production' });
afterAll(() => Promise.all([app.close(), production.close()]));

describe('pages', () => {
  test.each(['/', '/docs'])('success: %s is HTML with a policy against injection', async (url) => {
    const { statusCode, headers, body } = await app.inject(url);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|script-src|\*/);
    expect(body).toMatch(/<\/html>\s*$/);
  });

  test.each(['text/html', 'application/json', 'image/png', '*/*', ''])(
    'success: / accepts "%s"',
    async (accept) => {
      const { statusCode } = await app.inject({ url: '/', headers: { accept } });
      expect(statusCode).toBe(200);
    },
  );

  test.each(['/', '/docs', '/openapi.json', '/favicon.svg'])('success: HEAD %s', async (url) => {
    const { statusCode, body } = await app.inject({ method: 'HEAD', url });
    expect([statusCode, body]).toEqual([200, '']);
  });

  test('success: the home page is rendered for each request, with the methods of the router', async () => {
    const { headers, body } = await app.inject('/');
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain('GET, POST');
    expect(body).toContain('<code>/sandbox/reset</code>');
  });

  test('success: the favicon is an image', async () => {
    const { headers, body } = await app.inject('/favicon.svg');
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(body).toMatch(/^<svg /);
  });
});

describe('documents', () => {
  test.each(Object.entries(realApis))('success: /openapi/%s.json is the document', async (name, document) => {
    const answer = await app.inject(`/openapi/${name}.json`);
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('success: /openapi.json is the document', async () => {
    const answer = await app.inject('/openapi.json');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(realApis.registrar)));
  });

  test.each(['gzip', 'br, gzip;q=0.5'])('success: it is compressed for "%s"', async (encoding) => {
    const {
      headers,
      rawPayload,
      body: _,
    } = await app.inject({ url: '/docs', headers: { 'accept-encoding': encoding } });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(rawPayload).toString()).toContain('</html>');
  });

  test.each(['identity', 'br', 'gzip;q=0', 'xgzip'])('success: it is not for "%s"', async (encoding) => {
    const { headers, body } = await app.inject({ url: '/docs', headers: { 'accept-encoding': encoding } });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body).toContain('</html>');
  });

  test('success: a client with the current version gets 304', async () => {
    const { headers } = await app.inject('/docs');
    const again = await app.inject({
      url: '/docs',
      headers: { 'if-none-match': `"other", ${headers.etag}` },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

describe('production', () => {
  test('failure: neither page shows a credential', async () => {
    // The reference explains webhook secrets, and shows one that is not in use.
    for (const url of ['/', '/docs'])
      expect((await production.inject(url)).body).not.toMatch(/(alpha|beta)[:-]secret/);
  });

  test('success: requests in the reference leave user and password to the reader', async () => {
    expect((await production.inject('/docs')).body).toContain('-u &quot;$API_USER:$API_PASSWORD&quot;');
  });
});
