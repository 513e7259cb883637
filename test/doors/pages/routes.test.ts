import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { pageServer, realApis } from '../../pages/fixture.ts';

const app = pageServer();
const production = pageServer({ mode: 'production' });
afterAll(() => Promise.all([app.close(), production.close()]));

describe('pages', () => {
  test.each(['/', '/docs', '/docs/registrar/domains', '/guide/search?q=x', '/docs/search?q=x'])(
    'success: %s is HTML with a policy against injection',
    async (url) => {
      const { statusCode, headers, body } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['x-content-type-options']).toBe('nosniff');
      // Forms of the home page are accepted from our own pages only.
      expect(headers['referrer-policy']).toBe(url === '/' ? 'same-origin' : 'no-referrer');
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|script-src|\*/);
      expect(body).toMatch(/<\/html>\s*$/);
    },
  );

  test.each(['text/html', 'application/json', 'image/png', '*/*', ''])(
    'success: / accepts "%s"',
    async (accept) => {
      const { statusCode } = await app.inject({ url: '/', headers: { accept } });
      expect(statusCode).toBe(200);
    },
  );

  test.each(['/', '/docs', '/docs/billing/invoices', '/llms.txt', '/openapi.json', '/favicon.svg'])(
    'success: HEAD %s',
    async (url) => {
      const { statusCode, body } = await app.inject({ method: 'HEAD', url });
      expect([statusCode, body]).toEqual([200, '']);
    },
  );

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

describe('the reference', () => {
  test('success: every page as Markdown, and their list as plain text', async () => {
    const page = await app.inject('/docs/registrar/contacts.md');
    expect(page.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(page.body).toMatch(/^# Contacts\n/);
    const list = await app.inject('/llms.txt');
    expect(list.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(list.body).toMatch(/^# Cadastre\n/);
  });

  test('success: examples are in the language that is asked for, and links keep it', async () => {
    const { body, headers } = await app.inject('/docs/registrar/contacts?code=python');
    expect(body).toContain('registry.post(');
    expect(body).toContain('href="/docs/registrar/domains?code=python"');
    const plain = await app.inject('/docs/registrar/contacts?code=cobol');
    expect(plain.body).toContain('curl ');
    expect(plain.headers.etag).not.toBe(headers.etag);
  });

  test('success: a search finds calls, fields, refusals and events, the best first', async () => {
    const found = async (query: string) => {
      const { body } = await app.inject(`/docs/search?q=${encodeURIComponent(query)}`);
      return Array.from(body.matchAll(/<li><a href="([^"]+)">[^<]*<\/a> <span/g), ([, href = '']) => href);
    };
    expect((await found('create a contact'))[0]).toBe('/docs/registrar/contacts#createContact');
    expect((await found('createDomain'))[0]).toBe('/docs/registrar/domains#createDomain');
    expect(await found('expected_price')).toContain('/docs/registrar/domains#renewDomain');
    expect((await found('contactCodeTaken'))[0]).toBe('/docs/registrar/contacts#createContact');
    expect((await found('domain.renewed'))[0]).toBe('/docs/registrar/events#event-domain.renewed');
    expect(await found('zzyzx')).toEqual([]);
    expect(await found('')).toEqual([]);
  });

  test('failure: what is searched for is text, and bounded', async () => {
    const { body } = await app.inject('/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E');
    expect(body).not.toContain('<script');
    expect((await app.inject(`/docs/search?q=${'x'.repeat(5_000)}`)).body).not.toContain('x'.repeat(101));
    expect((await app.inject('/docs/search?q=a&q=b')).statusCode).toBe(200);
  });

  test.each([
    '/docs/registrar/nothing',
    '/docs/nobody',
    '/docs/registrar/domains/',
    '/docs/guides',
    '/docs.md',
    '/docs/guides/..%2Fcertificates',
    '/docs/constructor',
  ])('failure: there is no page at %s', async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
  });
});

describe('production', () => {
  test('failure: neither page shows a credential', async () => {
    // The reference explains webhook secrets, and shows one that is not in use.
    for (const url of [
      '/',
      '/docs',
      '/docs/registrar',
      '/docs/registrar/domains',
      '/docs/registrar/domains.md',
    ])
      expect((await production.inject(url)).body).not.toMatch(/(alpha|beta)[:-]secret/);
  });

  test('success: requests in the reference leave user and password to the reader', async () => {
    expect((await production.inject('/docs/registrar/domains')).body).toContain(
      '-u &quot;$API_USER:$API_PASSWORD&quot;',
    );
  });
});
