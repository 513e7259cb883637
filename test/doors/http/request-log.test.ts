import { expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { waitingFor } from '../../support/waiting.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
type Line = Readonly<Record<string, unknown>>;

const linesOf = ({ logged }: TestRegistry): Line[] =>
  logged()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** The line of a request is written after its answer was read. */
async function lineOf(registry: TestRegistry, reqId: string | null): Promise<Line | undefined> {
  const find = () => linesOf(registry).find((line) => line.msg === 'request' && line.reqId === reqId);
  await expect.poll(find).toBeDefined();
  return find();
}

async function get(registry: TestRegistry, headers: Record<string, string>) {
  const reply = await fetch(`${registry.url}/registry/v1/contacts`, { headers });
  await reply.text();
  expect(reply.headers.get('traceparent')).toBeNull();
  return lineOf(registry, reply.headers.get('x-request-id'));
}

test('success: the line of a request has the client, and the trace of its caller', async () => {
  const registry = await freshRegistryForThisTest();
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };
  const traced = await get(registry, { traceparent: `00-${ID}-00f067aa0ba902b7-01`, ...forwarded });
  expect(traced).toMatchObject({ status: 401, traceId: ID, address: '127.0.0.1' });
  const untraced = await get(registry, { traceparent: `00-${ID}-0-01` });
  expect(untraced).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(untraced?.traceId).not.toBe(ID);
});

test('success: behind a trusted proxy it is the address that the proxy names', async () => {
  const registry = await freshRegistryForThisTest({ trustedProxies: ['127.0.0.0/8'] });
  const address = async (forwarded: string) =>
    (await get(registry, { 'x-forwarded-for': forwarded }))?.address;
  expect(await address('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
  expect(await address('::ffff:203.0.113.8')).toBe('203.0.113.8');
  expect(await address('2001:db8::7')).toBe('2001:db8::7');
  expect(String(await address('x'.repeat(4_000))).length).toBeLessThan(100);
});

test('success: a statement that waits for a lock is logged with the request that waits', async () => {
  const registry = await freshRegistryForThisTest({ slowStatementMs: 100 });
  const client = alpha(registry.url);
  const code = await createContact(client);
  // On a busy machine other statements may be slow too.
  const slow = () =>
    linesOf(registry).find(({ msg, reqId }) => msg === 'slow statement' && reqId === 'waits');
  const headers = { authorization: `Basic ${btoa('alpha:alpha-sandbox-password')}`, 'x-request-id': 'waits' };
  const update = () =>
    fetch(`${registry.url}/registry/v1/contacts/${encodeURIComponent(code)}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ contact: { phone: '+372.5555555' } }),
    });
  const { reply } = await registry.sql.begin(async (db) => {
    await db.run(sql`select from contacts where code = ${code} for update`);
    const sent = update();
    await expect.poll(() => waitingFor(db), { interval: 10 }).toBeGreaterThan(0);
    await db.rows(sql`select pg_sleep(0.15)`);
    return { reply: sent };
  });
  expect((await reply).status).toBe(200);
  await expect.poll(slow).toMatchObject({ level: 40, reqId: 'waits', traceId: expect.any(String) });
  expect(slow()?.traceId).toBe((await lineOf(registry, 'waits'))?.traceId);
  expect(JSON.stringify(slow())).not.toContain('5555555');
});
