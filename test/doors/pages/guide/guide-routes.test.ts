import { gunzipSync } from 'node:zlib';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readGuideFiles } from '../../../../src/doors/pages/guide/guide-files.ts';
import { pageServer } from '../../../pages/fixture.ts';

const app = pageServer();
afterAll(() => app.close());
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const PAGE = '/guide/dependencies';

describe('the guide', () => {
  test('success: a page, with a policy that lets nothing run but our own files', async () => {
    const { statusCode, headers, body } = await get(PAGE);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(body).toContain('<h1 id="dependencies">');
    expect(body).toContain(`href="${PAGE}" aria-current="page"`);
    const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(body) ?? [];
    const asset = await get(script);
    expect([asset.statusCode, asset.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  });

  test('success: it is compressed, and not sent again to those who have it', async () => {
    const { headers, rawPayload } = await get(PAGE, { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(rawPayload).toString()).toMatch(/<\/html>\s*$/);
    const again = await get(PAGE, { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('success: the same as Markdown, whose links lead to Markdown', async () => {
    const { headers, body } = await get(`${PAGE}.md`);
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(body).toMatch(/^# Dependencies\n/);
    const links = Array.from(body.matchAll(/\]\((\/guide[^)#]*)/g), ([, target = '']) => target);
    expect(links.length).toBeGreaterThan(2);
    for (const link of new Set(links)) expect([link, (await get(link)).statusCode]).toEqual([link, 200]);
    expect((await get('/guide.md')).statusCode).toBe(200);
  });

  test('success: pictures', async () => {
    const { pictures } = await readGuideFiles();
    const [picture] = pictures;
    const { headers, rawPayload } = await get(picture?.path ?? '');
    expect(headers['content-type']).toBe(picture?.type);
    expect(rawPayload.equals(picture?.content ?? Buffer.of())).toBe(true);
  });

  test.each([
    '/guide/nothing',
    '/guide/',
    '/guide/operate/',
    '/guide/dependencies.md.md',
    '/guide/schema.txt',
    '/guide/../package.json',
    '/guide/..%2Fpackage.json',
    '/guide/%2e%2e/%2e%2e/etc/passwd',
    '/guide/..%2F..%2F..%2Fetc%2Fpasswd',
    '/guide/constructor',
    '/guide/__proto__',
    '/guide/src/main.ts',
  ])('failure: there is no page at %s', async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect(statusCode).toBe(404);
    if (!String(headers['content-type']).startsWith('text/html')) return;
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toContain('Page not found');
    expect(body).toContain('action="/guide/search"');
  });

  test('success: HEAD', async () => {
    const { statusCode, body } = await app.inject({ method: 'HEAD', url: '/guide' });
    expect([statusCode, body]).toEqual([200, '']);
  });

  test('success: what an installation has left out is not shown', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'guide-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    await mkdir(path.join(root, 'docs/operate'), { recursive: true });
    writeFileSync(path.join(root, 'docs/operate/README.md'), '<!-- made -->\n\n# `Operate` it\n');
    const { pages } = await readGuideFiles(path.join(root, 'docs'));
    expect(pages.map(({ file, title, markdown }) => [file, title, markdown])).toEqual([
      ['docs/operate/README.md', 'Operate it', '# `Operate` it\n'],
    ]);
  });
});

describe('the search of the guide', () => {
  const found = async (query: string) => {
    const { body } = await get(`/guide/search?q=${encodeURIComponent(query)}`);
    return Array.from(
      body.matchAll(/<li><a href="([^"]+)">[^<]*<\/a> <span class="quiet">/g),
      ([, href = '']) => href,
    );
  };

  test('success: sections of pages, rows of tables, and what is misspelt', async () => {
    expect((await found('CADASTRE_HOME'))[0]).toMatch(/#CADASTRE_HOME$/);
    expect((await found('minisearch'))[0]).toBe('/guide/dependencies#minisearch');
    expect((await found('minisaerch')).length).toBeGreaterThan(0);
    expect((await found('dependencies for developmnt'))[0]).toMatch(/^\/guide\/dependencies/);
  });

  test('success: where no section has all of the words, those with some', async () => {
    expect((await found('minisearch zzyzxq')).length).toBeGreaterThan(0);
  });

  test('failure: nothing is found, nothing is asked, and what is asked is text and bounded', async () => {
    expect(await found('zzyzxqq')).toEqual([]);
    expect((await get('/guide/search?q=zzyzxqq')).body).toContain('Nothing was found');
    expect((await get('/guide/search')).statusCode).toBe(200);
    expect((await get('/guide/search?q=a&q=b')).statusCode).toBe(200);
    expect((await get('/guide/search?q=%3Cscript%3E')).body).not.toContain('<script');
    expect((await get(`/guide/search?q=${'x'.repeat(5_000)}`)).body).not.toContain('x'.repeat(101));
  });

  test('failure: too many searches of an address are told when to go on', async () => {
    const refused = { isAdmitted: false, retryAfterSeconds: 7 } as const;
    const busy = pageServer({ admitSearch: () => refused });
    onTestFinished(() => busy.close());
    const { statusCode, headers, body } = await busy.inject('/guide/search?q=x');
    expect([statusCode, headers['retry-after']]).toEqual([429, '7']);
    expect(body).toContain('Too many searches');
    expect((await busy.inject('/guide')).statusCode).toBe(200);
  });
});
