import { expect, test } from 'vitest';
import { Payer, Service } from '../../support/billing.ts';
import { alpha } from '../../support/client.ts';
import { registryForThisTest } from '../../support/registry.ts';

test('success: an unpaid invoice is overdue on the day after its due date; a top-up is cancelled 30 days later', async () => {
  const registry = await registryForThisTest();
  const payer = new Payer(registry.url);
  const topUp = async () => {
    const { body } = await alpha(registry.url).post('/invoices/add_credit', { invoice: { amount: '10.00' } });
    return body.data.invoice as { invoice_number: number; payment_link: string };
  };
  const untouched = await topUp();
  const declined = await topUp();
  await payer.pay(declined.payment_link, 'failed');
  const others = (await new Service(registry.url).invoice('20.00')).number;
  const statuses = () =>
    Promise.all(
      [untouched.invoice_number, declined.invoice_number, others].map(
        async (number) => (await payer.invoice(number)).status,
      ),
    );
  await payer.advance('P30D');
  expect(await statuses()).toEqual(['unpaid', 'failed', 'unpaid']);
  await payer.advance('P1D');
  expect(await statuses()).toEqual(['overdue', 'failed', 'overdue']);
  await payer.advance('P29D');
  expect(await statuses()).toEqual(['overdue', 'failed', 'overdue']);
  await payer.advance('P1D');
  expect(await statuses()).toEqual(['cancelled', 'cancelled', 'overdue']);
});
