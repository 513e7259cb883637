import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

type Caught = {
  readonly received_at: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

const control = (place: string, body?: object) =>
  body === undefined
    ? fetch(`${registry.url}/sandbox${place}`)
    : fetch(`${registry.url}/sandbox${place}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
const read = async <T>(place: string) => (await (await control(place)).json()) as T;
const caught = () => read<Caught[]>('/webhooks');
const catcher = async () => (await read<{ webhooks: { catch: string } }>('')).webhooks.catch;

/** An endpoint that sends to the catcher, in a sandbox as after a reset. */
async function endpoint() {
  await control('/reset', {});
  const client = alpha(registry.url);
  const made = await client.post('/webhooks', { webhook: { url: await catcher() } });
  const { id, secret } = made.body.data.webhook;
  return {
    secret: String(secret),
    /** The id of the event. */
    test: async () => (await client.post(`/webhooks/${id}/test`)).body.data.delivery.event_id,
    deliveries: async () => (await client.get(`/webhooks/${id}/deliveries`)).body.data.deliveries,
  };
}

test('success: what came to the catcher is shown as it came, the newest first, until the reset', async () => {
  const { secret, test: send } = await endpoint();
  expect(await caught()).toEqual([]);
  const [first] = [await send(), await caught()];
  const second = await send();
  const found = await caught();
  expect(found.map(({ headers }) => headers['webhook-id'])).toEqual([second, first]);
  for (const { headers, body, received_at } of found) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' });
    expect(headers['content-type']).toBe('application/json');
    expect(new Date(received_at).toISOString()).toBe(received_at);
  }
  await control('/reset', {});
  expect(await caught()).toEqual([]);
});

test.each([
  ['down', null],
  ['error', 500],
])('failure: the fault %s lets an attempt fail, and the next one comes', async (mode, status) => {
  const { test: send, deliveries } = await endpoint();
  const fault = { target: 'webhook', mode, times: 1 };
  expect(await (await control('/faults', fault)).json()).toEqual(fault);
  const event = await send();
  expect(await caught()).toEqual([]);
  expect(await deliveries()).toMatchObject([{ event_id: event, attempts: 1, last_status: status }]);
  await control('/clock', { advance: 'PT1H' });
  await expect
    .poll(async () => (await caught()).map(({ headers }) => headers['webhook-id']))
    .toEqual([event]);
});

test('failure: the fault slow lets an attempt take five seconds', async () => {
  const { test: send } = await endpoint();
  await control('/faults', { target: 'webhook', mode: 'slow', times: 1 });
  await send();
  expect(await caught()).toEqual([]);
  await expect.poll(async () => (await caught()).length).toBe(1);
});

test('failure: a mode that the catcher does not know, and a body of another type', async () => {
  expect((await control('/faults', { target: 'webhook', mode: 'half', times: 1 })).status).toBe(400);
  const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' };
  expect((await fetch(await catcher(), text)).status).toBe(415);
  const large = await control('/webhooks/catch', { padding: 'x'.repeat(70_000) });
  expect(large.status).toBe(413);
});
