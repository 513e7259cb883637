import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  await registry.sql.run(sql`
    insert into poll_messages (registrar_id, type, text, created_at)
    select id, 'wrong_codes', 'message ' || n, now() from registrars, generate_series(1, 300) as n where code = 'ALPHA'`);
});
afterAll(() => registry.stop());

const MESSAGES = '/registry/v1/registrar/notifications/all_notifications';
type Answer = { status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer };

/** Without `fetch`, which decompresses answers. */
function get(path: string, encoding?: string, { method = 'GET', body = '' } = {}): Promise<Answer> {
  const authorization = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${registry.url}${path}`,
      { method, headers: { authorization, ...(encoding && { 'accept-encoding': encoding }) } },
      (reply) => {
        const pieces: Buffer[] = [];
        reply.on('data', (piece) => pieces.push(piece));
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes: Buffer.concat(pieces) }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
const without = (path: string) => get(path).then(({ bytes }) => bytes.toString());

describe('a large answer', () => {
  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ])('success: to a client that offers %s it is compressed with %s', async (offered, coding, decode) => {
    const path = `${MESSAGES}?limit=300`;
    const { headers, bytes } = await get(path, offered);
    expect([headers['content-encoding'], headers.vary, Number(headers['content-length'])]).toEqual([
      coding,
      'accept-encoding',
      bytes.length,
    ]);
    const whole = await without(path);
    expect(bytes.length).toBeLessThan(whole.length / 5);
    expect(decode(bytes).toString()).toBe(whole);
  });

  test.each([undefined, 'identity', 'deflate', 'br;q=0'])(
    'success: not with Accept-Encoding %s',
    async (offered) => {
      const { headers, bytes } = await get(`${MESSAGES}?limit=300`, offered);
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding']);
      expect(JSON.parse(bytes.toString()).data).toHaveLength(300);
    },
  );

  test('success: a refusal too, and HEAD has the same headers', async () => {
    const body = JSON.stringify({ data: { domain_transfers: Array.from({ length: 100 }, () => ({})) } });
    const refused = await get('/registry/v1/domains/transfer', 'gzip', { method: 'POST', body });
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, 'gzip']);
    expect(JSON.parse(gunzipSync(refused.bytes).toString()).errors).toHaveLength(100);
    const head = await get(`${MESSAGES}?limit=300`, 'gzip', { method: 'HEAD' });
    const whole = await get(`${MESSAGES}?limit=300`, 'gzip');
    for (const name of ['content-encoding', 'content-length', 'vary'])
      expect(head.headers[name]).toBe(whole.headers[name]);
  });

  test('success: streamed transactions, once they are long', async () => {
    const path = '/registry/v1/accounts/balance?detailed=true';
    const short = await get(path, 'gzip');
    expect([short.headers['content-encoding'], short.headers['content-length']]).toEqual([
      undefined,
      String(short.bytes.length),
    ]);
    for (let number = 0; number < 120; number++)
      await fetch(`${registry.url}/sandbox/topup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"registrar":"ALPHA","amount":"1.00"}',
      });
    const long = await get(path, 'gzip');
    expect(long.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(long.bytes).toString()).toBe(await without(path));
  });
});

test('success: a small answer is not compressed', async () => {
  const { headers } = await get('/registry/v1/contacts', 'br, gzip');
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
});
