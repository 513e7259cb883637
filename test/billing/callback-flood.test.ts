import { randomBytes } from 'node:crypto';
import { describe, test, vi } from 'vitest';
import { sql } from '../../src/platform/sql/statement.ts';
import { call, Payer, Service } from '../support/billing.ts';
import { postedFor } from '../support/books.ts';
import { freshRegistryForThisTest, startFreshRegistry, type TestRegistry } from '../support/registry.ts';
import { expect } from '../support/this-test.ts';

const LONG = process.env.TORTURE !== undefined;
/** Behind the whole flood a poll would wait at least 100 seconds at this rate, longer than the test allows. */
const [FLOOD, PER_SECOND, AT_ONCE] = LONG ? [600, 5, 20] : [300, 3, 10];
const WITHIN_MS = 60_000;
vi.setConfig({ testTimeout: 3 * WITHIN_MS });
/** The polls that are under way end first; all of them would take minutes. */
const STOPS_WITHIN_MS = 20_000;

const invented = (): string => randomBytes(32).toString('hex');
const addressOf = (number: number): string => `10.${number >> 8}.${number & 255}.7`;

async function start() {
  const registry = await freshRegistryForThisTest({
    trustedProxies: ['127.0.0.0/8'],
    paymentLookupsPerSecond: PER_SECOND,
  });
  const [auction, payer] = [new Service(registry.url), new Payer(registry.url)];
  const notify = (reference: string, from: string) =>
    call(`${registry.url}/api/v1/callback_handler/callback?payment_reference=${reference}`, {
      headers: { 'x-forwarded-for': from },
    });
  /** Sends this many unknown references; each gets the ordinary answer. */
  const flood = async (count: number, from: (number: number) => string) => {
    for (let sent = 0; sent < count; sent += AT_ONCE) {
      const replies = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => notify(invented(), from(sent + index))),
      );
      for (const { status, body } of replies)
        expect([status, body]).toEqual([200, { message: 'Callback received' }]);
    }
  };
  const paid = (number: number) =>
    expect.poll(() => statusOf(registry, number), { timeout: WITHIN_MS, interval: 100 }).toBe('paid');
  return { registry, auction, payer, notify, flood, paid };
}

const statusOf = async ({ sql: db }: TestRegistry, number: number): Promise<string> =>
  (await db.one(sql<{ status: string }>`select status from invoices where number = ${number}`)).status;
const metricsOf = async ({ metricsUrl }: TestRegistry): Promise<string> => (await fetch(metricsUrl)).text();
/** As the metric counts them, which may be a second old. */
const waiting = async ({ sql: db }: TestRegistry): Promise<number> =>
  (await db.one(sql<{ count: number }>`select count(*) from payments where lane is not null`)).count;

/** How often the simulated provider was polled about a payment. */
async function lookups(registry: TestRegistry): Promise<number> {
  const counts = (await metricsOf(registry))
    .split('\n')
    .filter((line) => line.startsWith('cadastre_request_seconds_count') && /method="GET"/.test(line))
    .filter((line) => /route="[^"]*provider[^"]*\/payments\/:/.test(line));
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe.concurrent('a flood of unknown references', () => {
  test('success: a link payment during the flood is booked, and the provider is polled within the rate limit', async () => {
    const { registry, auction, payer, notify, flood, paid } = await start();
    const first = await auction.invoice('124.00');
    await payer.pay(first.link);
    await paid(first.number);

    const [before, started] = [await lookups(registry), performance.now()];
    await flood(FLOOD / 2, addressOf);
    const { number, link } = await auction.invoice('124.00');
    await payer.pay(link);
    await flood(FLOOD / 2, (sender) => addressOf(FLOOD + sender));
    await paid(number);
    expect(await postedFor(registry, number)).toBe(12_400);
    expect(await waiting(registry)).toBeGreaterThan(FLOOD / 2);

    // Known payments do not wait at all.
    const oneoff = await auction.invoice('31.00');
    await payer.pay(await auction.oneoff(oneoff.number));
    await paid(oneoff.number);

    const [asked, seconds] = [(await lookups(registry)) - before, (performance.now() - started) / 1000];
    expect(asked).toBeGreaterThan(PER_SECOND);
    expect(asked).toBeLessThanOrEqual(PER_SECOND * (seconds + 1) + 3);
    expect((await notify(invented(), '192.0.2.1')).status).toBe(200);
  });

  test('success: a payment reported by an unknown caller is booked too', async () => {
    const { registry, auction, payer, notify, flood, paid } = await start();
    await flood(FLOOD, addressOf);
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link, 'settled', { callback: false });
    await notify(reference, '2001:db8::1');
    await paid(number);
    expect(await waiting(registry)).toBeGreaterThan(FLOOD / 2);
  });

  test('success: a payment reported from the address of the flood is booked too', async () => {
    const { registry, auction, payer, notify, flood, paid } = await start();
    await flood(FLOOD, () => '192.0.2.1');
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link, 'settled', { callback: false });
    await notify(reference, '192.0.2.1');
    await paid(number);
    expect(await waiting(registry)).toBeGreaterThan(FLOOD / 2);
  });
});

// Not concurrent: with other floods in this process a provider that answers late would be polled again.
describe('a flood of unknown references, alone', () => {
  test('success: nothing is dropped: each reference is polled once, recorded, and then deleted', async () => {
    const { registry, flood } = await start();
    const before = await lookups(registry);
    await flood(2 * AT_ONCE, addressOf);
    await expect.poll(() => waiting(registry), { timeout: WITHIN_MS, interval: 100 }).toBe(0);
    expect((await lookups(registry)) - before).toBe(2 * AT_ONCE);
    const left = await registry.sql.one(sql`
      select (select count(*)::int from payments) as payments, (select count(*)::int from payment_events) as events`);
    expect(left).toEqual({ payments: 0, events: 2 * AT_ONCE });
  });
});

test.concurrent('success: a server shuts down during the flood with a slow provider', async () => {
  const registry = await startFreshRegistry({
    trustedProxies: ['127.0.0.0/8'],
    paymentLookupsPerSecond: PER_SECOND,
  });
  await new Payer(registry.url).fault('provider', 'slow', 100);
  for (let sent = 0; sent < 20 * PER_SECOND; sent++)
    await call(`${registry.url}/api/v1/callback_handler/callback?payment_reference=${invented()}`, {
      headers: { 'x-forwarded-for': addressOf(sent) },
    });
  const started = performance.now();
  await registry.stop();
  expect(performance.now() - started).toBeLessThan(STOPS_WITHIN_MS);
});

test.concurrent('failure: addresses of one IPv6 network share the limit of callbacks', async () => {
  const registry = await freshRegistryForThisTest({ trustedProxies: ['127.0.0.0/8'], callbacksPerMinute: 2 });
  const from = (address: string) =>
    call(`${registry.url}/api/v1/callback_handler/callback`, { headers: { 'x-forwarded-for': address } });
  const statuses = [];
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'])
    statuses.push((await from(address)).status);
  expect(statuses).toEqual([200, 200, 429, 200]);
});
