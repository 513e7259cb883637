import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { madeObjectPurge } from '../../src/registry/keep-keys.ts';
import { RaceDatabase } from '../races/race-database.ts';
import { freePort } from '../support/free-port.ts';
import { moveClock } from '../support/life.ts';
import type { SandboxProcess } from '../support/sandbox-process.ts';
import { sql } from '../support/sql.ts';
import { buildInto } from './packed.ts';
import { clientOf } from './sdk/clients.ts';

const SHOP = path.join(import.meta.dirname, '../../examples/shop/shop.ts');
const ORDERS = 16;
const PRICE_CENTS = 900;
/** Ordinals of the domain requests: the shop is killed after the answer to the one, the server during the other. */
const [SHOP_DIES_AT, SERVER_DIES_AT] = [5, 11];
const LONG = { timeout: 120_000 };
const OWNER = {
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: '+372.5551234',
  ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
} as const;

let [folder, secret, shopUrl] = ['', '', ''];
let database: RaceDatabase;
let registry: SandboxProcess;
let shop: ChildProcess;
let relay: http.Server;
let [domainRequests, replays] = [0, 0];
const kills: string[] = [];
const events: { headers: Record<string, string>; body: string; status: number }[] = [];
const ordersFile = () => path.join(folder, 'orders.jsonl');

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-shop-'));
  await cp(SHOP, path.join(folder, 'shop.ts'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  [database] = await Promise.all([RaceDatabase.create(), buildInto(folder, 'sdk')]);
  registry = await database.start();
  relay = http.createServer((request, response) => {
    // The caller gets no answer for a lost request.
    pass(request).then(
      ({ status, body }) => response.writeHead(status).end(body),
      () => response.destroy(),
    );
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  shopUrl = `http://127.0.0.1:${await freePort()}`;
  const { data } = await clientOf(registry.url).webhooks.create({ url: `${relayUrl()}/events` });
  secret = data.webhook.secret;
});
afterAll(async () => {
  shop?.kill('SIGKILL');
  relay?.closeAllConnections();
  relay?.close();
  await database?.end();
  await rm(folder, { recursive: true, force: true });
});

const relayUrl = () => `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;

/** A relay between the shop and the registry, in both directions, that records and kills at the critical moments. */
async function pass(request: IncomingMessage) {
  const { method = '', url = '' } = request;
  const body = await buffer(request);
  const { host: _, connection: __, ...others } = request.headers;
  const headers = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
  delete headers['content-length'];
  const isEvent = url === '/events';
  const count = method === 'POST' && url === '/registry/v1/domains' ? ++domainRequests : 0;
  const asked = fetch((isEvent ? shopUrl : registry.url) + url, {
    method,
    headers,
    ...(body.length && { body }),
  });
  if (count === SERVER_DIES_AT) {
    await Promise.all([registry.kill9(), asked.catch(() => undefined)]);
    kills.push('server');
    registry = await database.start();
  }
  const answer = await asked;
  const content = Buffer.from(await answer.arrayBuffer());
  if (isEvent) events.push({ headers, body: body.toString(), status: answer.status });
  if (answer.headers.get('idempotency-replayed') === 'true') replays++;
  if (count === SHOP_DIES_AT) {
    shop.kill('SIGKILL');
    await once(shop, 'exit');
    kills.push('shop');
    appendFileSync(ordersFile(), '{"id":"order-0","state":"refu'); // as after a power failure
    await startShop();
    throw new Error('the answer is lost');
  }
  return { status: answer.status, body: content };
}

async function startShop(): Promise<void> {
  const env = { CADASTRE_URL: relayUrl(), PORT: new URL(shopUrl).port, WEBHOOK_SECRET: secret };
  shop = spawn(process.execPath, ['shop.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(shop.stdout ?? expect.fail('no output'), 'data');
}

const YEAR = { period: 1, period_unit: 'y', expected_price: '9.00' } as const;
const order = async (id: string, name: string, expected_price = '9.00') => {
  const body = JSON.stringify({ id, owner: OWNER, domain: { ...YEAR, name, expected_price } });
  const send = () => fetch(`${shopUrl}/orders`, { method: 'POST', body });
  // Like a customer's browser, until there is an answer.
  for (;;) {
    const answer = await send().catch(() => undefined);
    if (answer) return answer.status;
  }
};
const orderOf = async (id: string) => (await fetch(`${shopUrl}/orders/${id}`)).json() as Promise<object>;
const sendEvent = async (body: string) => {
  const { headers } = events[0] ?? expect.fail('no event');
  return (await fetch(`${shopUrl}/events`, { method: 'POST', headers, body })).status;
};
const lines = () =>
  readFileSync(ordersFile(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the shop of the examples', () => {
  test('success: it has less than 100 lines', () => {
    expect(readFileSync(SHOP, 'utf8').trimEnd().split('\n').length).toBeLessThan(100);
  });

  test(
    'success: when shop and server are killed during orders, each domain is registered and paid once',
    LONG,
    async () => {
      // An old order that was carried out days ago; and one for a name that is taken.
      const client = clientOf(registry.url);
      const { data } = await client.contacts.create(OWNER, { key: 'old-contact' });
      const registrant = data.contact.code;
      for (const name of ['old.ee', 'taken.ee'])
        await client.domains.create(
          { ...YEAR, name, registrant },
          { key: name === 'old.ee' ? 'old-domain' : 'of another order' },
        );
      // As the job does after a day.
      await madeObjectPurge.removeSome(database.sql, new Date(Date.now() + 2 * 86_400_000));
      const old = { id: 'old', owner: OWNER, domain: { ...YEAR, name: 'old.ee' } };
      await writeFile(ordersFile(), `${JSON.stringify(old)}\n`);
      await startShop();

      const ids = Array.from({ length: ORDERS }, (_, index) => `order-${index}`);
      for (const id of ids) expect(await order(id, `${id}.ee`)).toBe(200);
      expect(await order('order-0', 'order-0.ee')).toBe(200);
      expect(await order('late', 'taken.ee')).toBe(200);
      // All orders before it, and the wait of the shop while the server was away.
      await expect.poll(() => orderOf('late'), { timeout: 60_000 }).toMatchObject({ refused: 'nameYours' });
      expect(await order('dear', 'dear.ee', '8.00')).toBe(200);
      await expect.poll(() => orderOf('dear')).toMatchObject({ refused: 'otherPrice' });
      expect(kills).toEqual(['shop', 'server']);
      expect(replays).toBeGreaterThanOrEqual(1);
      await moveClock(registry, { advance: 'PT2M' });
      for (const id of ['old', ...ids])
        await expect
          .poll(() => orderOf(id))
          .toMatchObject({
            registered: { name: `${id}.ee`, expire_time: expect.stringMatching(/^20/) },
            event: 'domain.registered',
          });

      const names = [...ids.map((id) => `${id}.ee`), 'old.ee', 'taken.ee'].toSorted();
      const created = await database.sql.rows(sql<{ name: string }>`
      select object_name as name from history where object_kind = 'domain' and operation = 'create' order by 1`);
      expect(created.map(({ name }) => name).toSorted()).toEqual(names);
      const { data: account } = await clientOf(registry.url).billing.balance();
      expect(10_000_000 - Math.round(Number(account.balance) * 100)).toBe(names.length * PRICE_CENTS);
      expect(await checkLedger(database.sql)).toEqual([]);
    },
  );

  test('success: it tells what a name costs, before there is an owner', async () => {
    const ask = async (name: string) => (await fetch(`${shopUrl}/names/${encodeURI(name)}`)).json();
    const year = { operation: 'create', period: 1, period_unit: 'y', price: '9.00', currency: 'EUR' };
    expect(await ask('näide.ee')).toMatchObject({
      name: 'näide.ee',
      available: true,
      prices: expect.arrayContaining([year]),
    });
    expect(await ask('taken.ee')).toMatchObject({ available: false, reason: 'in use' });
  });

  test('failure: an order without a price', async () => {
    const body = JSON.stringify({
      id: 'free',
      owner: OWNER,
      domain: { ...YEAR, name: 'free.ee', expected_price: '' },
    });
    expect((await fetch(`${shopUrl}/orders`, { method: 'POST', body })).status).toBe(400);
  });

  test('success: standardwebhooks accepts the same events, and each was stored once', async () => {
    const other = new Webhook(secret);
    for (const { headers, body } of events) expect(other.verify(body, headers)).toHaveProperty('type');
    const accepted = events.filter(
      ({ status, body }) => status === 204 && JSON.parse(body).data.domain !== undefined,
    );
    const ids = new Set(accepted.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBeGreaterThanOrEqual(ORDERS + 2);
    expect(await sendEvent(events[0]?.body ?? '')).toBe(204);
    const stored = lines().flatMap(({ event }) => (event ? [event] : []));
    expect(stored.toSorted()).toEqual([...ids].toSorted());
  });

  test('failure: an altered event is refused', async () => {
    const before = lines().length;
    expect(await sendEvent(String(events[0]?.body).replace('data', 'Data'))).toBe(400);
    expect(lines()).toHaveLength(before);
  });
});
