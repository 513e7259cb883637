import { request as httpRequest } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Service } from '../../support/billing.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let link: string;
beforeAll(async () => {
  registry = await startRegistry();
  link = (await new Service(registry.url).invoice()).link.slice(registry.url.length);
});
afterAll(() => registry.stop());

type Headers = Readonly<Record<string, string>>;
type Sent = {
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: string;
  readonly at?: string;
};

/** `fetch` sets Host, Origin and Sec-Fetch headers itself; here a request has only those given. */
function ask(path: string, { method = 'GET', headers = {}, body, at = '127.0.0.1' }: Sent = {}) {
  const { port } = new URL(registry.url);
  return new Promise<{ status: number; text: string; headers: Headers }>((resolve, reject) => {
    const sent = httpRequest({ host: at, port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers as Headers }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
const clock = async () => JSON.parse((await ask('/sandbox/clock')).text).now as string;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const own = () => ({ origin: registry.url });

const EVERYTHING = [
  ['GET', '/sandbox'],
  ['GET', '/sandbox/clock'],
  ['POST', '/sandbox/clock'],
  ['POST', '/sandbox/reset'],
  ['POST', '/sandbox/topup'],
  ['POST', '/sandbox/faults'],
  ['GET', '/sandbox/mail'],
  ['GET', '/sandbox/mail/1'],
  ['GET', '/sandbox/deliveries'],
  ['GET', '/sandbox/invoices/1'],
  ['GET', '/sandbox/services/auction'],
  ['PUT', '/sandbox/services/auction'],
  ['GET', '/sandbox/accounting'],
  ['POST', '/sandbox/accounting'],
  ['GET', '/sandbox/einvoice'],
  ['POST', '/sandbox/einvoice'],
  ['POST', '/sandbox/provider/pay'],
  ['GET', '/sandbox/provider/lp'],
  ['POST', '/sandbox/provider/lp'],
  ['GET', `/sandbox/provider/pay/${'0'.repeat(64)}`],
  ['POST', `/sandbox/provider/pay/${'0'.repeat(64)}`],
  ['GET', `/sandbox/provider/receipt/${'0'.repeat(64)}`],
  ['POST', '/sandbox/provider/payments/oneoff'],
  ['GET', '/sandbox/provider/payments/x'],
  ['POST', '/sandbox/provider/payments/refund'],
  ['POST', '/sandbox/provider/payments/x/state'],
] as const;

describe.each([
  ['Host', { host: 'evil.example' }],
  [
    'Host, as after rebinding',
    { host: 'evil.example:8080', origin: 'http://evil.example:8080', 'sec-fetch-site': 'same-origin' },
  ],
  ['Origin', { origin: 'https://evil.example' }],
  ['Origin, on this machine', { origin: 'http://localhost:3000' }],
  ['Origin, hidden', { origin: 'null' }],
  ['Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site, on this machine', { 'sec-fetch-site': 'same-site' }],
  ['Sec-Fetch-Site, of a frame', { ...LINK, 'sec-fetch-dest': 'iframe' }],
  ['Sec-Fetch-Site, of a script', { ...LINK, 'sec-fetch-mode': 'cors' }],
])('headers of another site: %s', (_what, headers) => {
  test.each(EVERYTHING)('failure: %s %s', async (method, path) => {
    const before = await clock();
    const body = method === 'GET' ? undefined : '{"advance":"P1D"}';
    const { status, text } = await ask(path, {
      method,
      headers: { ...headers, ...(body && JSON_TYPE) },
      ...(body && { body }),
    });
    expect([status, Object.keys(JSON.parse(text))]).toEqual([403, ['error']]);
    expect(Date.parse(await clock()) - Date.parse(before)).toBeLessThan(3_600_000);
  });
});

describe('the type of a body', () => {
  test.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['none', {}],
    ['a form of an unknown page', FORM_TYPE],
    ['a file', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['JSON and something else', { 'content-type': 'text/plain, application/json' }],
    ['chunks of text', { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' }],
  ])('failure: %s triggers no control', async (_what, headers) => {
    const before = await clock();
    for (const path of ['clock', 'reset', 'topup', 'faults', 'provider/pay'])
      expect(
        (await ask(`/sandbox/${path}`, { method: 'POST', headers, body: '{"advance":"P1D"}' })).status,
      ).toBe(415);
    expect(Date.parse(await clock()) - Date.parse(before)).toBeLessThan(3_600_000);
  });

  test('failure: a simulated service accepts its own type only', async () => {
    for (const path of ['accounting', 'einvoice'])
      for (const headers of [JSON_TYPE, { 'content-type': 'text/plain' }])
        expect((await ask(`/sandbox/${path}`, { method: 'POST', headers, body: 'x' })).status).toBe(415);
  });

  test('success: JSON with a parameter, and no body at all', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    const moved = await ask('/sandbox/clock', { method: 'POST', headers, body: '{"advance":"PT1S"}' });
    expect(moved.status).toBe(200);
    expect((await ask('/sandbox/reset', { method: 'POST' })).status).toBe(200);
  });
});

describe('our own pages, and links to them', () => {
  test.each([
    ['its Origin', own],
    ['Sec-Fetch-Site', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['both', () => ({ ...own(), 'sec-fetch-site': 'same-origin' })],
  ])('success: the form of the payment page is accepted, recognised by %s', async (_what, headers) => {
    const sent = { method: 'POST', headers: { ...FORM_TYPE, ...headers() }, body: 'outcome=failed' };
    expect((await ask(link, sent)).status).toBe(303);
  });

  test('failure: the same form of another page, or of an unknown one', async () => {
    for (const headers of [{ ...LINK }, { origin: 'http://localhost:3000' }, { origin: 'null' }])
      expect(
        (await ask(link, { method: 'POST', headers: { ...FORM_TYPE, ...headers }, body: 'outcome=settled' }))
          .status,
      ).toBe(403);
    expect((await ask(link, { method: 'POST', headers: FORM_TYPE, body: 'outcome=settled' })).status).toBe(
      415,
    );
  });

  test('success: a payer may follow a link from any site, and the page lets its form send a referrer', async () => {
    const { status, headers } = await ask(link, { headers: LINK });
    expect([status, headers['referrer-policy'], headers['cross-origin-resource-policy']]).toEqual([
      200,
      'same-origin',
      'same-origin',
    ]);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect((await ask(link, { headers: { ...LINK, 'sec-fetch-site': 'same-site' } })).status).toBe(200);
  });

  test('failure: no other page is reachable by a link from another site', async () => {
    for (const path of ['', '/clock', '/mail', '/accounting', '/einvoice', '/deliveries'])
      expect((await ask(`/sandbox${path}`, { headers: LINK })).status).toBe(403);
  });

  test.each(['none', 'same-origin'])('success: a page opened with Sec-Fetch-Site %s', async (site) => {
    for (const path of ['', '/clock', '/mail', '/accounting'])
      expect((await ask(`/sandbox${path}`, { headers: { ...LINK, 'sec-fetch-site': site } })).status).toBe(
        200,
      );
  });
});

describe('GET /sandbox', () => {
  test('success: it returns all addresses, to programs of this machine', async () => {
    const { port } = new URL(registry.url);
    const { status, text, headers } = await ask('/sandbox', { headers: { host: `localhost:${port}` } });
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        home: `http://localhost:${port}/`,
        docs: `http://localhost:${port}/docs`,
        metrics: registry.metricsUrl,
        registrar_api: `http://127.0.0.1:${port}/registry/v1`,
        reservation_api: `http://127.0.0.1:${port}/api/v1/business_registry`,
        billing_api: `http://127.0.0.1:${port}/api/v1`,
        rdap: `http://127.0.0.1:${port}/rdap/`,
        lookup: `http://localhost:${port}/lookup`,
        console: `http://localhost:${port}/console`,
        identity: `http://localhost:${port}/sandbox/identity`,
        webhooks: { catch: `http://127.0.0.1:${port}/sandbox/webhooks/catch` },
      },
    ]);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect((await fetch(registry.metricsUrl)).status).toBe(200);
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );
  test.runIf(hasIpv6)('success: localhost is an own host by either of its addresses', async () => {
    const { port } = new URL(registry.url);
    expect((await ask('/sandbox', { at: '::1', headers: { host: `localhost:${port}` } })).status).toBe(200);
    expect((await ask('/health', { at: '::1', headers: { host: `[::1]:${port}` } })).status).toBe(200);
  });
});
