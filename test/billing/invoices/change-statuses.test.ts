import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoints, allEvents, webhookEvents } from '../../support/all-events.ts';
import { Payer } from '../../support/billing.ts';
import { alpha, beta, type Client } from '../../support/client.ts';
import { ApiDocument } from '../../support/document.ts';
import { apiDocument } from '../../support/endpoints.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

const FAILED = 'invoice.payment_failed';

let registry: TestRegistry;
let client: Client;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  payer = new Payer(registry.url);
  await addEndpoints(registry);
});
afterAll(() => registry.stop());

const failuresOf = async (by: Client) =>
  (await allEvents(registry, by)).filter(({ type }) => type === FAILED);

test('success: a payment that fails is an event of its registrar, once for each attempt, and no message', async () => {
  const { invoice_number: number, payment_link: link } = (
    await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } })
  ).body.data.invoice;
  const reference = await payer.pay(link, 'failed');
  expect((await payer.invoice(number)).status).toBe('failed');
  await payer.callback(`?payment_reference=${reference}&event_name=status_updated`);
  await payer.invoice(number);
  const [failure, ...more] = await failuresOf(client);
  expect(more).toEqual([]);
  expect(failure).toMatchObject({ data: { invoice_number: number, amount: '124.00' } });
  expect(Object.keys(failure?.data ?? {}).toSorted()).toEqual(['amount', 'invoice_number', 'sequence']);
  const { position: _, id, ...event } = failure ?? expect.fail();
  const { type, data } = event;
  expect(new ApiDocument(apiDocument()).complaintsAboutEvent(event)).toEqual([]);
  const sent = (await webhookEvents(registry, 'ALPHA')).filter((event) => event.type === FAILED);
  expect(sent).toEqual([{ id, type, data }]);
  const { data: messages } = (await client.get('/registrar/notifications/all_notifications')).body;
  expect(messages.map((message: { type: string }) => message.type)).toEqual(['invoice_issued']);

  await payer.move(reference, 'waiting_for_sca');
  expect((await payer.invoice(number)).status).toBe('unpaid');
  await payer.move(reference, 'failed');
  expect((await payer.invoice(number)).status).toBe('failed');
  expect((await failuresOf(client)).map((event) => event.data.invoice_number)).toEqual([number, number]);
  expect(await failuresOf(beta(registry.url))).toEqual([]);
  expect((await webhookEvents(registry, 'BETA')).map((event) => event.type)).not.toContain(FAILED);
});

test('success: of an invoice that is paid no failure is told', async () => {
  const before = await failuresOf(client);
  const { invoice_number: number, payment_link: link } = (
    await client.post('/invoices/add_credit', { invoice: { amount: '10.00' } })
  ).body.data.invoice;
  await payer.pay(link);
  expect((await payer.invoice(number)).status).toBe('paid');
  expect(await failuresOf(client)).toEqual(before);
});
