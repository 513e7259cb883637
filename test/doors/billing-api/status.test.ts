import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Payer, Service } from '../../support/billing.ts';
import {
  eventually,
  invoiceIn,
  postedFor,
  postedFrom,
  reportedStatuses,
  withoutTrace,
} from '../../support/books.ts';
import { alpha } from '../../support/client.ts';
import { balanceOf } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** One transition into each status; all of them are in test/billing/invoices/invoice.test.ts. */
const CHANGES = [
  ['failed', 'unpaid'],
  ['unpaid', 'paid'],
  ['unpaid', 'failed'],
  ['overdue', 'cancelled'],
  ['unpaid', 'overdue'],
  ['paid', 'refunded'],
] as const;

let registry: TestRegistry;
let auction: Service;
let registryService: Service;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  registryService = new Service(registry.url, 'registry');
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

const setStatus = (invoice_number: unknown, status: unknown, service = auction) =>
  service.post('/invoice_generator/invoice_status', { invoice_number, status });
const standing = async (reference: string) => {
  const [row] = await registry.sql.rows(sql`
    select standing_amount::int as cents from provider_simulator.payments where payment_reference = ${reference}`);
  return row?.cents;
};

describe('the table of transitions', () => {
  test.each(CHANGES)('success: %s becomes %s, and the service is notified once', async (from, to) => {
    const number = await invoiceIn(auction, payer, from);
    const before = await reportedStatuses(payer, number);
    const reply = await setStatus(number, to);
    expect([reply.status, reply.body]).toEqual([200, { message: 'Status updated' }]);
    expect(await auction.status(number)).toBe(to);
    expect(await reportedStatuses(payer, number)).toEqual([...before, to]);
    expect(await postedFor(registry, number)).toBe(to === 'paid' ? 12_400 : 0);
    const { changes } = (await auction.get(`/invoices/${number}`)).body;
    expect(changes.at(-1)).toMatchObject({ from, to });
  });

  test('failure: a cancelled invoice does not become paid, and nothing changes', async () => {
    const number = await invoiceIn(auction, payer, 'cancelled');
    const reply = await withoutTrace(registry, () => setStatus(number, 'paid'));
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { status: ['an invoice that is cancelled cannot become paid'] } },
    ]);
  });

  test('success: the ids of notifications are stable, and the same as in the history', async () => {
    const number = await invoiceIn(auction, payer, 'failed');
    await setStatus(number, 'paid');
    const deliveries = (await payer.deliveries()).filter(({ invoice_number }) => invoice_number === number);
    const { changes } = (await auction.get(`/invoices/${number}`)).body;
    expect(deliveries.map(({ id }) => id).reverse()).toEqual(
      changes.slice(1).map(({ id }: { id: string }) => id),
    );
    expect(deliveries.map(({ id, body }) => JSON.parse(body).id === id)).toEqual([true, true]);
  });

  test('success: of ten concurrent requests one takes effect', async () => {
    const number = await invoiceIn(auction, payer, 'unpaid');
    const replies = await Promise.all(Array.from({ length: 10 }, () => setStatus(number, 'paid')));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 422),
    ]);
    expect([await postedFor(registry, number), await reportedStatuses(payer, number)]).toEqual([
      12_400,
      ['paid'],
    ]);
  });

  test('success: the number may be a string', async () => {
    const number = await invoiceIn(auction, payer, 'unpaid');
    expect((await setStatus(String(number), 'cancelled')).status).toBe(200);
  });
});

describe('external payments', () => {
  const topUp = async () => {
    const { body } = await alpha(registry.url).post('/invoices/add_credit', {
      invoice: { amount: '100.00' },
    });
    return body.data.invoice as { invoice_number: number; payment_link: string };
  };

  test('success: one books the top-up of a registrar once, net of VAT, and its refund reverses it', async () => {
    const client = alpha(registry.url);
    const before = Number(await balanceOf(client));
    const { invoice_number: number } = await topUp();
    expect((await setStatus(number, 'paid', registryService)).status).toBe(200);
    expect((await setStatus(number, 'paid', registryService)).status).toBe(422);
    expect(Number(await balanceOf(client))).toBe(before + 100);
    expect((await setStatus(number, 'refunded', registryService)).status).toBe(200);
    expect((await setStatus(number, 'refunded', registryService)).status).toBe(422);
    expect([Number(await balanceOf(client)), await postedFor(registry, number)]).toEqual([before, 0]);
  });

  test('success: a payment that the provider settles afterwards is refunded, and credited to nobody', async () => {
    const client = alpha(registry.url);
    const before = Number(await balanceOf(client));
    const { invoice_number: number, payment_link: link } = await topUp();
    await setStatus(number, 'paid', registryService);
    const reference = await payer.pay(link);
    expect((await payer.invoice(number)).status).toBe('paid');
    await eventually(payer, async () => expect(await standing(reference)).toBe(0));
    await payer.advance('PT1H');
    expect([Number(await balanceOf(client)), await postedFrom(registry, reference)]).toEqual([
      before + 100,
      0,
    ]);
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid', held: false });
    const [refunds] = await registry.sql.rows(sql`
      select count(*)::int as count, min(state) as state from refunds where payment_reference = ${reference}`);
    expect(refunds).toEqual({ count: 1, state: 'done' });
  });

  test('success: an external refund is not repeated by polling the provider', async () => {
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link);
    await payer.invoice(number);
    await setStatus(number, 'refunded');
    await payer.callback(`?payment_reference=${reference}&event_name=status_updated`);
    expect(await payer.invoice(number)).toMatchObject({ status: 'refunded', held: false });
    expect(await postedFor(registry, number)).toBe(0);
  });

  test('failure: refunded externally and by the provider as well is held for manual review', async () => {
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link);
    await payer.invoice(number);
    await setStatus(number, 'refunded');
    await payer.move(reference, 'refunded');
    expect(await payer.invoice(number)).toMatchObject({ status: 'refunded', held: true });
    expect(await postedFor(registry, number)).toBe(0);
  });

  test('success: a callback with the reference of an external payment changes nothing', async () => {
    const { number } = await auction.invoice('124.00');
    await payer.fault('provider', 'down', 100);
    await payer.callback(`?payment_reference=elsewhere-${number}`);
    await setStatus(number, 'paid');
    await payer.fault('provider', 'none');
    await payer.callback(`?payment_reference=elsewhere-${number}&event_name=refunded`);
    await payer.advance('PT1H');
    expect((await payer.invoice(number)).status).toBe('paid');
    const [payment] = await registry.sql.rows(sql`
      select external, poll_at, poll_lease_until from payments where reference = ${`elsewhere-${number}`}`);
    expect(payment).toEqual({ external: true, poll_at: null, poll_lease_until: null });
    expect((await setStatus(number, 'refunded')).status).toBe(200);
    expect(await postedFor(registry, number)).toBe(0);
  });

  test('success: an imported invoice changes its status without any booking', async () => {
    const number = 120_001;
    await auction.post('/import_data/invoice_data', [
      { invoice_number: number, transaction_amount: '10.00', status: 'paid' },
    ]);
    expect((await setStatus(number, 'refunded')).status).toBe(200);
    expect([await auction.status(number), await postedFor(registry, number)]).toEqual(['refunded', 0]);
  });
});

describe('failure', () => {
  test.each([
    ['there is none', 199_000],
    ['far beyond every range', 999_999_999_999_999],
  ])('failure: %s', async (_what, number) => {
    const reply = await withoutTrace(registry, () => setStatus(number, 'paid'));
    expect([reply.status, reply.body]).toEqual([404, { error: `Invoice with ${number} number not found` }]);
  });

  test('failure: an invoice of another initiator gets the same answer as a missing one', async () => {
    const { number } = await new Service(registry.url, 'eeid').invoice('10.00');
    const reply = await withoutTrace(registry, () => setStatus(number, 'paid'));
    expect([reply.status, reply.body]).toEqual([404, { error: `Invoice with ${number} number not found` }]);
  });

  test('failure: an invalid number and an invalid status', async () => {
    const reply = await withoutTrace(registry, () => setStatus(-1, 'issued'));
    expect([reply.status, Object.keys(reply.body.error)]).toEqual([422, ['invoice_number', 'status']]);
  });
});
