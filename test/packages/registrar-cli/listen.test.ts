import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { forward } from '../../../packages/registrar-cli/src/forward.ts';
import { DESCRIPTION, TemporaryEndpoint } from '../../../packages/registrar-cli/src/temporary-endpoint.ts';
import { type Registry, verifyWebhook } from '../../../packages/sdk/src/index.ts';
import { freePort } from '../../support/free-port.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { clientOf } from '../sdk/clients.ts';
import { homeForThisTest, type Ran, registrarCommand } from './registrar-command.ts';

const WAIT = { timeout: 30_000 };
const PERSON = {
  name: 'Mari',
  email: 'mari@example.ee',
  phone: '+372.1',
  ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
} as const;

let registry: TestRegistry;
let client: Registry;
beforeAll(async () => {
  registry = await startRegistry();
  client = clientOf(registry.url);
});
afterAll(() => registry.stop());
const endpoints = async () => (await client.webhooks.list()).data.webhooks;
beforeEach(async () => {
  for (const { id } of await endpoints()) await client.webhooks.delete(id);
});

type Listener = {
  readonly lines: () => Record<string, unknown>[];
  readonly webhook: { readonly id: string; readonly url: string; readonly secret: string };
  end(): Promise<Ran>;
};

const variables = () => ({
  CADASTRE_URL: registry.url,
  CADASTRE_USERNAME: 'alpha',
  CADASTRE_PASSWORD: 'alpha-sandbox-password',
});
const runListen = (
  options: string,
  signal?: AbortSignal,
  onOutput?: (text: string) => void,
  home = homeForThisTest(),
) =>
  registrarCommand(home, `webhooks listen${options}`.split(' '), {
    variables: variables(),
    ...(signal && { signal }),
    ...(onOutput && { onOutput }),
  });

/** The command, once it listens; ended with its test. */
async function listen(options: string, home?: string): Promise<Listener> {
  const controller = new AbortController();
  let printed = '';
  const running = runListen(`${options} --json`, controller.signal, (text) => (printed = text), home);
  const lines = () =>
    printed
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const end = async () => {
    controller.abort();
    return running;
  };
  onTestFinished(async () => void (await end()));
  await Promise.race([
    expect.poll(() => printed, WAIT).toContain('\n'),
    running.then(({ err }) => expect.fail(err)),
  ]);
  const [{ webhook }] = lines() as [{ webhook: Listener['webhook'] }];
  return { lines, webhook, end };
}

describe('webhooks listen', () => {
  test('success: an event is verified, shown and forwarded unchanged; a failed one is retried by the registry', async () => {
    const hook = await WebhookReceiver.start();
    hook.answers = [{ status: 500 }, { status: 200 }];
    const { lines, webhook, end } = await listen(` --forward-to ${hook.url} --types contact.created`);
    const { data } = await client.contacts.create(PERSON);
    const { headers, body, id } = await hook.event('contact.created');
    const event = verifyWebhook({ secrets: webhook.secret, headers, body });
    expect(event).toMatchObject({ type: 'contact.created', data: { name: data.contact.code } });
    const delivery = async () => (await client.webhooks.delivery(webhook.id, id)).data.delivery;
    await expect.poll(delivery, WAIT).toMatchObject({ state: 'waiting', attempts: 1, last_status: 500 });
    // It would come by itself, five seconds later.
    await client.webhooks.replay(webhook.id, id);
    await expect.poll(() => hook.ids, WAIT).toEqual([id, id]);
    await expect
      .poll(lines, WAIT)
      .toMatchObject([
        { webhook },
        { id, type: 'contact.created', forwarded: { status: 500, outcome: '500' } },
        { id, data: { name: data.contact.code }, forwarded: { status: 200, outcome: '200' } },
      ]);
    await expect.poll(delivery, WAIT).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(await end()).toMatchObject({ code: 0, err: '' });
    expect(await endpoints()).toEqual([]);
  });

  test('success: the secret by which events are forwarded is the same in every run; failure: a damaged one', async () => {
    const home = homeForThisTest();
    const one = await listen('', home);
    await one.end();
    const two = await listen('', home);
    await two.end();
    expect(one.webhook.secret).toMatch(/^whsec_/);
    expect(two.webhook.secret).toBe(one.webhook.secret);
    const file = path.join(home, '.config/cadastre-registrar/listen-secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'whsec_short\n');
    const damaged = await runListen('', undefined, undefined, home);
    expect(damaged).toMatchObject({ code: 2, err: expect.stringContaining('has no secret; delete it') });
    expect(await endpoints()).toEqual([]);
  });

  test('success: an endpoint that a killed run left is deleted, that of another running one is not', async () => {
    const left = { url: `http://127.0.0.1:${await freePort()}/0123`, description: DESCRIPTION };
    const { id } = (await client.webhooks.create(left)).data.webhook;
    const one = await listen('');
    const two = await listen('');
    const own = (await client.webhooks.create({ ...left, description: 'mine' })).data.webhook.id;
    expect((await endpoints()).map((endpoint) => endpoint.id)).toEqual([one.webhook.id, two.webhook.id, own]);
    expect((await one.end()).err).toBe(`${id} of an earlier run is deleted\n`);
    expect((await two.end()).err).toBe('');
    expect((await endpoints()).map((endpoint) => endpoint.id)).toEqual([own]);
  });

  test('success: without --json a line per event, also of one that is not answered', async () => {
    const hook = `http://127.0.0.1:${await freePort()}`;
    const controller = new AbortController();
    let printed = '';
    const options = ` --forward-to ${hook} --types contact.created`;
    const running = runListen(options, controller.signal, (text) => (printed = text));
    await expect.poll(async () => (await endpoints())[0]?.last_success_at, WAIT).toEqual(expect.any(String));
    const code = (await client.contacts.create(PERSON)).data.contact.code;
    await expect.poll(() => printed, WAIT).toContain('\n');
    const refused = `${new URL(hook).host}: connect ECONNREFUSED`;
    expect(printed).toMatch(new RegExp(`^\\S+\\+0[23]:00\tcontact.created\t${code}\t${refused}`));
    const [endpoint] = await endpoints();
    await expect
      .poll(async () => (await client.webhooks.deliveries(endpoint?.id ?? '').page()).items, WAIT)
      .toMatchObject([{ state: 'waiting', last_status: 502 }, { type: 'webhook.test' }]);
    controller.abort();
    const { code: exit, err } = await running;
    expect([exit, err]).toEqual([
      0,
      expect.stringMatching(/^whe_\S+ listens, and forwards to http.*, signed with whsec_/),
    ]);
  });

  test('failure: an unsigned event is refused, not forwarded', async () => {
    const { webhook, lines, end } = await listen('');
    const signed = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
    const post = (url: string, body: string) => fetch(url, { method: 'POST', body, headers: signed });
    expect((await post(webhook.url, '{}')).status).toBe(400);
    expect((await post(webhook.url, 'x'.repeat(100_000))).status).toBe(413);
    expect((await post(new URL('/', webhook.url).href, '{}')).status).toBe(404);
    expect(lines()).toHaveLength(1);
    expect((await end()).err).toBe('refused a request: webhook not accepted: timestamp too old\n');
  });

  test('failure: an address that the registry refuses or cannot reach', async () => {
    const refused = await runListen(' --public-url http://shop.example --port 0');
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('Give it --public-url, an https'),
    });
    const unreachable = `http://127.0.0.1:${await freePort()}/`;
    const lost = await runListen(` --public-url ${unreachable} --port 0`);
    expect(lost).toMatchObject({
      code: 1,
      err: expect.stringContaining(`The registry does not reach ${unreachable}`),
    });
    expect(await endpoints()).toEqual([]);
  });

  test.each([
    ['--forward-to localhost', '--forward-to takes an address'],
    ['--forward-to file:///etc/passwd', '--forward-to takes an address'],
    ['--public-url https://a.example', '--port is missing'],
    ['--port 70000', '--port takes a port'],
    ['--types domain.eaten', 'domain.eaten is no type of event'],
    ['--types webhook.test', 'webhook.test is no type of event'],
  ])('failure: %s', async (options, complaint) => {
    expect(await runListen(` ${options}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(complaint),
    });
  });

  test('failure: the endpoint was disabled or deleted meanwhile, or the registry is unavailable', async () => {
    const said: string[] = [];
    const url = 'http://127.0.0.1:1/';
    const around = { url, localUrl: url, signal: new AbortController().signal };
    const endpoint = new TemporaryEndpoint(client, { ...around, say: (text) => said.push(text) });
    await endpoint.create(null);
    await client.webhooks.update(endpoint.id, { enabled: false });
    await expect(endpoint.watch(1)).rejects.toThrow('was disabled: by the registrar');
    await client.webhooks.delete(endpoint.id);
    await expect(endpoint.watch(1)).rejects.toThrow('was deleted');
    await endpoint.delete();
    expect(said).toEqual([]);
    const controller = new AbortController();
    const away = clientOf(`http://127.0.0.1:${await freePort()}`, 'alpha', { retry: { retries: 0 } });
    const lost = new TemporaryEndpoint(away, {
      ...around,
      signal: controller.signal,
      say: (text) => {
        said.push(text);
        controller.abort();
      },
    });
    lost.id = endpoint.id;
    await lost.watch(1);
    await lost.delete();
    expect(said).toEqual([
      expect.stringContaining('still listening'),
      expect.stringContaining('was not deleted'),
    ]);
  });
});

describe('forwarding', () => {
  test('failure: 410 does not disable the endpoint, and a missing answer times out', async () => {
    const hook = await WebhookReceiver.start();
    const request = { headers: {}, body: Buffer.from('{"type":"a.b","timestamp":"","data":{}}') };
    hook.answers = [{ status: 410 }, 'hang'];
    expect(await forward(new URL(hook.url), request)).toMatchObject({ status: 503 });
    expect(await forward(new URL(hook.url), request, 50)).toMatchObject({
      status: 502,
      outcome: expect.stringContaining('no answer within 0.05 s'),
    });
  });
});
