import { expect, test, vi } from 'vitest';
import { Payer, Service } from '../support/billing.ts';
import { alpha } from '../support/client.ts';
import { registryForThisTest } from '../support/registry.ts';

test('success: a registrar tops his account up, is refunded, and every cent is accounted for', async () => {
  const registry = await registryForThisTest();
  const payer = new Payer(registry.url);
  const client = alpha(registry.url);
  const issued = await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } });
  expect(issued.body).toMatchObject({
    data: { invoice: { invoice_number: 150005, amount: '100.00', vat: '24.00', total: '124.00' } },
  });
  const { invoice_number: number, payment_link: link } = issued.body.data.invoice;
  const reference = await payer.pay(link);
  await vi.waitFor(async () => expect((await payer.invoice(number)).status).toBe('paid'));
  expect((await client.get('/accounts/balance')).body.data.balance).toBe('100100.00');
  await payer.move(reference, 'refunded');
  await vi.waitFor(async () => expect((await payer.invoice(number)).status).toBe('refunded'));
  expect((await client.get('/accounts/balance')).body.data.balance).toBe('100000.00');
});

test('success: an auction is paid and told of it', async () => {
  const registry = await registryForThisTest();
  const auction = new Service(registry.url);
  const payer = new Payer(registry.url);
  const { number, link } = await auction.invoice('20.0');
  await payer.pay(link);
  await vi.waitFor(async () => expect(await auction.status(number)).toBe('paid'));
  const [delivery] = await payer.deliveries();
  expect(delivery).toMatchObject({ target: 'service:auction', invoice_number: number, status: 'delivered' });
});
