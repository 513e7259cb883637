import { expect, test, vi } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { Payer, Service } from '../support/billing.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha } from '../support/client.ts';
import { balanceOf } from '../support/domains.ts';
import { registryForThisTest } from '../support/registry.ts';

test('success: the whole story of a top-up: invoice, link, page, payment, callback, credit, refund', async () => {
  const registry = await registryForThisTest();
  const payer = new Payer(registry.url);
  const client = alpha(registry.url);
  const operator = (...args: string[]) =>
    cadastre(args, { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
  const becomes = (status: string) =>
    vi.waitFor(async () => expect((await payer.invoice(150005)).status).toBe(status));

  const { invoice } = (await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } })).body
    .data;
  expect(invoice).toMatchObject({ invoice_number: 150005, amount: '100.00', vat: '24.00', total: '124.00' });

  const page = await (await fetch(invoice.payment_link)).text();
  expect(page).toContain('150005');
  expect(page).toContain('Pay 124.00 EUR');
  expect((await payer.invoice(150005)).payments).toEqual([]);

  const paid = await fetch(invoice.payment_link, {
    method: 'POST',
    headers: { origin: new URL(invoice.payment_link).origin },
    body: new URLSearchParams({ outcome: 'settled' }),
  });
  expect(await paid.text()).toContain('The invoice is paid');
  await becomes('paid');
  const { payments, events } = await payer.invoice(150005);
  expect(payments).toEqual([{ payment_reference: expect.any(String), payment_state: 'settled' }]);
  expect(events).toMatchObject([{ event_name: 'status_updated' }]);

  expect(await balanceOf(client)).toBe('100100.00');
  const [{ description, sum }] = (await client.get('/accounts/balance?detailed=true')).body.data.transactions;
  expect([description, sum]).toEqual(['Top-up by invoice 150005', '100.00']);

  expect(await operator('billing', 'refund', '150005', '--yes', '--reason', 'by mistake')).toMatchObject({
    code: 0,
  });
  await becomes('refunded');
  expect(await balanceOf(client)).toBe('100000.00');
  const { payment_link: link } = (await client.get('/invoices/150005')).body.data.invoice;
  expect(link).toBeNull();
  expect(await checkLedger(registry.sql)).toEqual([]);
});

test('success: an auction is paid and notified of it', async () => {
  const registry = await registryForThisTest();
  const auction = new Service(registry.url);
  const payer = new Payer(registry.url);
  const { number, link } = await auction.invoice('20.0');
  await payer.pay(link);
  await vi.waitFor(async () => expect(await auction.status(number)).toBe('paid'));
  const [delivery] = await payer.deliveries();
  expect(delivery).toMatchObject({ target: 'service:auction', invoice_number: number, status: 'delivered' });
});
