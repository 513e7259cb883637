import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPayableByLink, statuses } from '../../../src/billing/invoices/invoice.ts';
import { Payer, Service } from '../../support/billing.ts';
import { withoutTrace } from '../../support/books.ts';
import { alpha } from '../../support/client.ts';
import { freshName } from '../../support/domains.ts';
import { Portal } from '../../support/portal.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

/** While a payment waits for an operator, its invoice cannot be paid a second time. */
let registry: TestRegistry;
let auction: Service;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  [auction, payer] = [new Service(registry.url), new Payer(registry.url)];
});
afterAll(() => registry.stop());

const RETURN = 'https://auction.example/done';
const HELD = 'is held for manual review';

test('success: only a payable invoice without a hold has a link', () => {
  const shown = (held: boolean) => statuses.filter((status) => isPayableByLink({ status, held }));
  expect([shown(false), shown(true)]).toEqual([['unpaid', 'failed', 'overdue'], []]);
});

/** Pays another amount than the invoice's by a link. */
async function hold(number: number, link: string): Promise<void> {
  await payer.pay(link, 'settled', { amount: '1.00' });
  expect(await payer.invoice(number)).toMatchObject({ held: true });
}
const expectRefused = async (path: string, body: object, error: object) => {
  const reply = await withoutTrace(registry, () => auction.post(`/invoice_generator/${path}`, body));
  expect([reply.status, reply.body]).toEqual([422, { error }]);
};

describe('an invoice whose payment is held', () => {
  test('failure: has no link, and neither a new attempt nor a bulk payment can be started', async () => {
    const { number, link } = await auction.invoice('20.00');
    const attempt = await auction.oneoff(number);
    await hold(number, link);
    const { linkpay_url, payments } = (await auction.get(`/invoices/${number}`)).body;
    const links = payments.map(({ payment_link }: { payment_link: unknown }) => payment_link);
    expect([linkpay_url, links]).toEqual([null, [null, null]]);
    const error = { invoice_number: [`a payment of the invoice ${HELD}`] };
    await expectRefused('oneoff', { invoice_number: String(number), customer_url: RETURN }, error);
    await expectRefused('invoice_generator', { invoice_number: number, transaction_amount: '20.00' }, error);
    await expectRefused(
      'bulk_payment',
      {
        custom_field2: 'auction',
        customer_url: RETURN,
        description: String(number),
        transaction_amount: '20.00',
      },
      { description: [`a payment of invoice ${number} ${HELD}`] },
    );
    // The right amount, by the attempt that was begun before, still pays it.
    await payer.pay(attempt);
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid' });
  });

  test('failure: a payment for several invoices holds each of them', async () => {
    const [one, two] = [await auction.invoice('10.00'), await auction.invoice('10.00')];
    const { body } = await auction.post('/invoice_generator/bulk_payment', {
      custom_field2: 'auction',
      customer_url: RETURN,
      transaction_amount: '20.00',
      description: `${one.number} ${two.number}`,
    });
    await payer.pay(body.oneoff_redirect_link, 'settled', { amount: '1.00' });
    await payer.invoice(two.number);
    expect((await auction.get(`/invoices/${two.number}`)).body).toMatchObject({
      status: 'unpaid',
      held: true,
      linkpay_url: null,
    });
    await expectRefused(
      'oneoff',
      { invoice_number: String(two.number), customer_url: RETURN },
      { invoice_number: [`a payment of the invoice ${HELD}`] },
    );
  });

  test("failure: a registrar's top-up shows no link", async () => {
    const client = alpha(registry.url);
    const { data } = (await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } })).body;
    await hold(data.invoice.invoice_number, data.invoice.payment_link);
    const { invoice } = (await client.get(`/invoices/${data.invoice.invoice_number}`)).body.data;
    expect([invoice.status, invoice.payment_link]).toEqual(['unpaid', null]);
  });

  test('failure: a reservation shows no link', async () => {
    const portal = new Portal(registry.url);
    const { body } = await portal.reserveLong(freshName());
    await hold(body.invoice_number, body.linkpay_url);
    expect(await portal.longStatus(body.invoice_number, body.user_unique_id)).toEqual({
      status: 'error',
      message: expect.any(String),
      names: body.available_domains,
    });
  });
});
