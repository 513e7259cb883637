import { expect, test } from 'vitest';
import { Payer, Service } from '../../support/billing.ts';
import { registryForThisTest } from '../../support/registry.ts';

test('success: every time is UTC with three digits behind the point, also on the full second', async () => {
  const registry = await registryForThisTest();
  const auction = new Service(registry.url);
  const payer = new Payer(registry.url);
  const { number, link } = await auction.invoice();
  await payer.pay(link);
  await payer.invoice(number);
  const at = '2030-01-15T10:00:00.000Z';
  await registry.sql`update payment_events set at = ${at}`;
  await registry.sql`update invoice_changes set at = ${at}`;
  await registry.sql`update invoices set issued_at = ${at}, paid_at = ${at}`;
  expect((await auction.get(`/invoices/${number}`)).body).toMatchObject({
    ...{ status: 'paid', issued_at: at, paid_at: at },
    events: [{ event_name: 'status_updated', at }],
    changes: [
      { to: 'unpaid', at },
      { to: 'paid', at },
    ],
  });
  expect(await payer.invoice(number)).toMatchObject({ events: [{ event_name: 'status_updated', at }] });
});
