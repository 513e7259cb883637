import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConsoleClient, PEOPLE } from '../../support/console.ts';
import { PORTAL_API } from '../../support/portal.ts';
import { freshRegistryForThisTest, startFreshRegistry, type TestRegistry } from '../../support/registry.ts';

const BASIC = { authorization: `Basic ${btoa('alpha:alpha-sandbox-password')}` };
const MALFORMED = [
  'garbage',
  '1.2.3.4, x',
  'x'.repeat(4_000),
  '',
  ' , ',
  '1.2.3.4.5',
  '1.2.3.4/24',
  '1.2.3.4:99999999',
  '[2001:db8::7',
  '[1.2.3.4',
  '2001:db8::7::8',
  'unknown',
  '%',
  "'; select 1 --",
];

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startFreshRegistry({ trustedProxies: ['127.0.0.0/8'] });
});
afterAll(() => registry.stop());

type Headers = Readonly<Record<string, string>>;
type Seen = { readonly status: number; readonly id: string | null };
const get =
  (path: string, own: Headers) =>
  async (headers: Headers): Promise<Seen> => {
    const reply = await fetch(registry.url + path, { headers: { ...own, ...headers } });
    await reply.text();
    return { status: reply.status, id: reply.headers.get('x-request-id') };
  };

const CALLS: readonly [string, (headers: Headers) => Promise<Seen>, status: number][] = [
  ['the registrar API', get('/registry/v1/accounts/balance', BASIC), 200],
  [
    'the console',
    async (headers) => {
      const [email, password] = PEOPLE.alpha;
      const login = { email, password };
      const { status, headers: answered } = await new ConsoleClient(registry.url).post(
        '/console/login',
        login,
        headers,
      );
      return { status, id: answered.get('x-request-id') };
    },
    303,
  ],
  ['RDAP', get('/rdap/domain/puudub.ee', {}), 404],
  ['RDAP with credentials', get('/rdap/domain/puudub.ee', BASIC), 404],
  [
    'the reservation API',
    get(`${PORTAL_API}/domain_names/Foo`, { authorization: 'Bearer portal-sandbox-token' }),
    200,
  ],
];

/** The address that the log names for a request; the line is written after its answer was read. */
async function loggedAddress(id: string | null): Promise<unknown> {
  const find = () =>
    registry
      .logged()
      .split('\n')
      .find((line) => line.includes(`"reqId":"${id}"`) && line.includes('"msg":"request"'));
  await expect.poll(find).toBeDefined();
  return (JSON.parse(find() ?? '{}') as { address?: string }).address;
}

describe.each(CALLS)('behind a trusted proxy, %s', (_name, call, status) => {
  test('success: counts what is no address for the proxy that forwarded it', async () => {
    for (const forwarded of MALFORMED) {
      const seen = await call({ 'x-forwarded-for': forwarded });
      expect([forwarded, seen.status]).toEqual([forwarded, status]);
      expect([forwarded, await loggedAddress(seen.id)]).toEqual([forwarded, '127.0.0.1']);
    }
  });
});

describe('behind a trusted proxy', () => {
  test.each([
    ['203.0.113.7:443', '203.0.113.7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['x, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 127.0.0.9', '203.0.113.7'],
    ['203.0.113.7,', '203.0.113.7'],
    // The proxy that sent what cannot be read, not the one nearest to us.
    ['x, 127.0.0.9', '127.0.0.9'],
  ])('success: %s is %s', async (forwarded, address) => {
    const { id } = await get('/registry/v1/accounts/balance', BASIC)({ 'x-forwarded-for': forwarded });
    expect(await loggedAddress(id)).toBe(address);
  });

  test('failure: invented addresses that are none share one limit', async () => {
    const limited = await freshRegistryForThisTest({
      trustedProxies: ['127.0.0.0/8'],
      lookupsPerMinute: 3,
    });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) {
      const headers = { 'x-forwarded-for': `garbage${index}` };
      const reply = await fetch(`${limited.url}/rdap/domain/puudub.ee`, { headers });
      await reply.text();
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([404, 404, 404, 429]);
  });
});
