import { expect, test } from 'vitest';
import { Payer, Service } from '../../support/billing.ts';
import { freshRegistryForThisTest } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { NOTICED } from '../../support/waiting.ts';

test('success: payments that wait for an operator, and pending refunds, are counted', async () => {
  const registry = await freshRegistryForThisTest();
  const payer = new Payer(registry.url);
  const figures = async () =>
    (await (await fetch(registry.metricsUrl)).text()).match(
      /^cadastre_(payments_held|refunds_waiting) .*$/gm,
    );
  expect(await figures()).toEqual(['cadastre_payments_held 0', 'cadastre_refunds_waiting 0']);
  const { number, link } = await new Service(registry.url).invoice('20.00');
  const reference = await payer.pay(link, 'settled', { amount: '25.00' });
  expect(await payer.invoice(number)).toMatchObject({ held: true });
  await registry.sql.run(sql`
    insert into refunds (payment_reference, amount, reason, actor, created_at, next_attempt_at)
    values (${reference}, 1, 'a test', 'a test', now(), now() + interval '1 day')`);
  await expect.poll(figures, NOTICED).toEqual(['cadastre_payments_held 1', 'cadastre_refunds_waiting 1']);
});
