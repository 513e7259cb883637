import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { readTar } from '../../../src/backup/tar.ts';
import { version } from '../../../src/platform/version.ts';
import { pageServer } from '../../pages/fixture.ts';

const SDK = path.join(import.meta.dirname, '../../../packages/sdk');
const [app, other] = [pageServer(), pageServer({ mode: 'production' })];
afterAll(() => Promise.all([app.close(), other.close()]));

describe('/sdk.tgz', () => {
  test('success: it has the files of the client in the folder that npm expects', async () => {
    const { headers, rawPayload } = await app.inject('/sdk.tgz');
    expect(headers).toMatchObject({ 'content-type': 'application/gzip', 'cache-control': 'no-cache' });
    expect(headers['content-length']).toBe(String(rawPayload.length));
    const files = new Map<string, string>();
    for await (const { name, content } of readTar(Readable.from([gunzipSync(rawPayload)])))
      files.set(name, content.toString());
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['package/README.md', 'package/LICENSE', 'package/dist/generated/groups.js']),
    );
    for (const [name, content] of files)
      expect(content, name).toBe(readFileSync(path.join(SDK, name.replace('package/', '')), 'utf8'));
    expect(JSON.parse(files.get('package/package.json') ?? '')).toMatchObject({
      name: 'cadastre-sdk',
      version,
    });
  });

  test('success: every server sends the same bytes, under the same tag', async () => {
    const [one, two] = await Promise.all([app.inject('/sdk.tgz'), other.inject('/sdk.tgz')]);
    expect(two.rawPayload.equals(one.rawPayload)).toBe(true);
    expect(two.headers.etag).toBe(one.headers.etag);
  });

  test('success: whoever has it gets 304, and HEAD its length', async () => {
    const { headers } = await app.inject({ method: 'HEAD', url: '/sdk.tgz' });
    expect(Number(headers['content-length'])).toBeGreaterThan(50_000);
    const again = await app.inject({ url: '/sdk.tgz', headers: { 'if-none-match': headers.etag } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('failure: it cannot be written', async () => {
    const { statusCode } = await app.inject({ method: 'PUT', url: '/sdk.tgz', payload: 'x' });
    expect(statusCode).toBe(404);
  });
});
