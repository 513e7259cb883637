import { describe, expect, test } from 'vitest';
import { switchMaintenance } from '../../../src/installation/switch-maintenance.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import type { BillingReply } from '../../support/billing.ts';
import type { OpenApi } from '../../support/document.ts';
import { reservationDocument } from '../../support/endpoints.ts';
import { operator } from '../../support/operator.ts';
import { PORTAL_API, Portal } from '../../support/portal.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { NOTICED } from '../../support/waiting.ts';

type Call = (portal: Portal) => Promise<BillingReply>;

/** Every call, for a free and a paid reservation. */
async function callsAt({ url }: TestRegistry): Promise<Record<string, Call>> {
  const owner = new Portal(url);
  const { body: free } = await owner.reserve('vaba.ee');
  const { body: paid } = await owner.reserveLong('tasuline.ee');
  const invoice = `?invoice_number=${paid.invoice_number}&user_unique_id=${paid.user_unique_id}`;
  return {
    suggestNames: (portal) => portal.get('/domain_names/Foo'),
    reserveNames: (portal) => portal.reserve('muu.ee'),
    readReservation: (portal) => portal.get(`/reserve_domains/${free.user_unique_id}`),
    orderReservation: (portal) => portal.reserveLong('muu.ee'),
    readOrder: (portal) => portal.get(`/long_reserve_domains_status${invoice}`),
    printInvoice: (portal) => portal.get(`/reserved_domains_invoice_pdf${invoice}`),
  };
}

/** Makes every call and returns the answer to each. */
async function answersOf(calls: Record<string, Call>, portal: Portal): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(calls)) {
    const { status, body, headers } = await call(portal);
    answers[name] = [status, body.error?.replace(headers.get('x-request-id'), 'ID')];
  }
  return answers;
}

describe('what every call answers', () => {
  const operations = Object.values(reservationDocument().paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const all = (status: number, error: unknown) =>
    Object.fromEntries(operations.map((name) => [name, [status, error]]));

  test('failure: 401 without a valid token', async () => {
    const registry = await freshRegistryForThisTest();
    const calls = await callsAt(registry);
    expect(await answersOf(calls, new Portal(registry.url, 'wrong'))).toEqual(all(401, 'Unauthorized'));
  });

  test('failure: 429 beyond the limit of the token', async () => {
    const registry = await freshRegistryForThisTest({ portalRequestsPerMinute: 2 });
    const calls = await callsAt(registry);
    expect(await answersOf(calls, new Portal(registry.url))).toEqual(all(429, 'Too many requests'));
  });

  test('failure: 500 for an internal error, which is logged', async () => {
    const registry = await freshRegistryForThisTest();
    const calls = await callsAt(registry);
    await registry.sql.run(sql`alter table reserved_names rename to hidden_names`);
    const expected = all(500, 'Internal error, request ID');
    expect(await answersOf(calls, new Portal(registry.url))).toEqual(expected);
    expect(registry.logged().match(/unexpected error/g)).toHaveLength(operations.length);
  });

  test('failure: 503 in maintenance', async () => {
    const registry = await freshRegistryForThisTest();
    const calls = await callsAt(registry);
    const portal = new Portal(registry.url);
    await carryOut(registry.sql, switchMaintenance, { isOn: true }, operator());
    await expect.poll(async () => (await portal.get('/domain_names/Foo')).status, NOTICED).toBe(503);
    expect(await answersOf(calls, portal)).toEqual(all(503, 'Service unavailable'));
    // Before the token is checked.
    const unknown = await new Portal(registry.url, 'wrong').get('/domain_names/Foo');
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '60']);
  });
});

describe('the document', () => {
  test('success: it is served to anybody, and names every call of the API', async () => {
    const { url } = await freshRegistryForThisTest();
    const reply = await fetch(`${url}/openapi/reservation.json`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    const { paths } = (await reply.json()) as OpenApi;
    expect(Object.keys(paths).sort()).toEqual(
      [
        '/domain_names/{organization_name}',
        '/reserve_domains',
        '/reserve_domains/{user_unique_id}',
        '/long_reserve_domains',
        '/long_reserve_domains_status',
        '/reserved_domains_invoice_pdf',
      ]
        .map((path) => PORTAL_API + path)
        .sort(),
    );
  });
});
