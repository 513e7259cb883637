import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { Payer, Service } from '../support/billing.ts';
import { alpha } from '../support/client.ts';
import { balanceOf } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { PowerCuts } from './power-cuts.ts';

const ROUNDS = process.env.TORTURE ? 40 : 2;
const KILLS = process.env.TORTURE ? 25 : 1;
const LIMIT_MS = ROUNDS * 20_000;
const rounds = Array.from({ length: ROUNDS }, (_, round) => ({ round: round + 1 }));
const parallel = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));
const WITHIN = { interval: 50 };

let registry: TestRegistry;
let payer: Payer;
let auction: Service;
beforeAll(async () => {
  registry = await startRegistry();
  payer = new Payer(registry.url);
  auction = new Service(registry.url);
});
afterAll(() => registry.stop());

const topUp = async (amount: string): Promise<{ number: number; link: string }> => {
  const { body } = await alpha(registry.url).post('/invoices/add_credit', { invoice: { amount } });
  return { number: body.data.invoice.invoice_number, link: body.data.invoice.payment_link };
};
const becomes = (number: number, status: string) =>
  vi.waitFor(async () => expect((await payer.invoice(number)).status).toBe(status), WITHIN);

/** Resolves once no poll is running and no refund is pending. */
const settled = () =>
  vi.waitFor(async () => {
    await payer.advance('PT2M');
    const rows = await registry.sql.rows(sql`
      select reference from payments where poll_at is not null or poll_lease_until is not null union all select payment_reference from refunds where state = 'waiting'`);
    expect(rows).toHaveLength(0);
  }, WITHIN);

const paymentsOf = (number: number) =>
  registry.sql.rows(sql<{ state: string; booked: number; standing: number; surplus: number }>`
    select p.state, p.booked, s.standing_amount as standing, p.surplus from payments p
    join provider_simulator.payments s on s.payment_reference = p.reference where p.invoice_number = ${number} order by p.booked`);

describe('payments with concurrent reports', { timeout: LIMIT_MS }, () => {
  test.each(rounds)('success: 50 callbacks at once credit once ($round)', async () => {
    const before = await balanceOf(alpha(registry.url));
    const { number, link } = await topUp('100.00');
    const reference = await payer.pay(link, 'settled', { callback: false });
    const query = `?payment_reference=${reference}&event_name=status_updated`;
    const replies = await parallel(50, () => payer.callback(query));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await becomes(number, 'paid');
    await settled();
    expect(Number(await balanceOf(alpha(registry.url))) - Number(before)).toBe(100);
    const credits = await registry.sql.rows(sql`
      select from ledger_entries where invoice_number = ${number} and registrar_id is not null`);
    expect(credits).toHaveLength(1);
    expect(await checkLedger(registry.sql)).toEqual([]);
  });

  test.each(rounds)(
    'success: of two one-off payments at once one pays and one is refunded ($round)',
    async () => {
      const { number } = await auction.invoice('20.00');
      const links = await parallel(2, () => auction.oneoff(number));
      await Promise.all(links.map((link) => payer.pay(link)));
      await becomes(number, 'paid');
      await settled();
      expect(await paymentsOf(number)).toEqual([
        { state: 'refunded', booked: 0, standing: 0, surplus: 0 },
        { state: 'settled', booked: 2000, standing: 2000, surplus: 0 },
      ]);
      expect(await checkLedger(registry.sql)).toEqual([]);
    },
  );

  test.each(rounds)(
    'success: paid outside the provider and by it at once is paid once ($round)',
    async () => {
      const { number, link } = await auction.invoice('20.00');
      const reference = await payer.pay(link, 'settled', { callback: false });
      const [marked] = await Promise.all([
        auction.post('/invoice_generator/invoice_status', { invoice_number: number, status: 'paid' }),
        ...Array.from({ length: 4 }, () => payer.callback(`?payment_reference=${reference}`)),
      ]);
      await settled();
      expect(await auction.status(number)).toBe('paid');
      const elsewhere = marked?.status === 200;
      expect(await paymentsOf(number)).toEqual([
        elsewhere
          ? { state: 'refunded', booked: 0, standing: 0, surplus: 0 }
          : { state: 'settled', booked: 2000, standing: 2000, surplus: 0 },
      ]);
      const changes = await registry.sql.rows(sql`
      select to_status from invoice_changes where invoice_number = ${number} and to_status = 'paid'`);
      expect(changes).toHaveLength(1);
      expect(await checkLedger(registry.sql)).toEqual([]);
    },
  );

  test.each(rounds)('success: 32 concurrent requests get 32 numbers, without a gap ($round)', async () => {
    const services = ['auction', 'eeid', 'business_registry'].map(
      (name) => new Service(registry.url, name as never),
    );
    const numbers = await parallel(32, (index) => (services[index % 3] ?? auction).number());
    const sorted = numbers.toSorted((a, b) => a - b);
    expect(sorted).toEqual(Array.from({ length: 32 }, (_, index) => (sorted[0] ?? 0) + index));
  });
});

describe('a process that is killed', { timeout: 60_000 + KILLS * 60_000 }, () => {
  test('success: every settled payment is credited once, refunded once, and notified', async () => {
    const powerCuts = await PowerCuts.start();
    try {
      for (let kill = 1; kill <= KILLS; kill++) await powerCuts.killInTheMiddle(kill);
      await powerCuts.untilQuiet();
      await powerCuts.expectEverythingOnce();
    } finally {
      await powerCuts.stop();
    }
  });
});
