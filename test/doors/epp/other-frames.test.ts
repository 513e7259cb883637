import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { EppAddress } from '../../../src/doors/sandbox/sandbox-addresses.ts';
import { EppClient } from '../../support/epp.ts';
import { envelope, poll } from '../../support/epp-frames.ts';
import { startEppServerForTest } from '../../support/epp-server.ts';
import { refusal } from '../../../src/doors/epp/frame-refusals.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';

const PER_MINUTE = 50;

let registry: TestRegistry;
let epp: EppAddress;
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0, rateLimitPerMinute: PER_MINUTE });
  ({ epp } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { epp: EppAddress });
});
afterAll(() => registry.stop());

async function logIn(user: string): Promise<EppClient> {
  const client = await EppClient.connect({ port: epp.port, ca: epp.ca_certificate });
  onTestFinished(() => client.close());
  expect((await client.logIn(user, `${user}-sandbox-password`)).code).toBe(1000);
  return client;
}

async function greet(client: EppClient, times: number): Promise<void> {
  for (let frame = 0; frame < times; frame += 1)
    expect((await client.hello()).root.children[0]?.name).toBe('greeting');
}

test('failure: hellos, second logins and frames that are no command have a limit, beyond which they are 2502 and delayed', async () => {
  const client = await logIn('alpha');
  await greet(client, PER_MINUTE - 5);
  expect((await client.send('no XML')).codes).toEqual([2001]);
  expect((await client.send(envelope({ body: '<list/>' }))).codes).toEqual([2000]);
  expect((await client.command({ body: '<logout><a/></logout>' })).codes).toEqual([2001]);
  expect((await client.logIn('alpha', 'alpha-sandbox-password')).codes).toEqual([2002]);
  await greet(client, 1);
  const delays = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => delays.mockRestore());
  expect((await client.hello()).codes).toEqual([2502]);
  expect((await client.send('no XML')).codes).toEqual([2502]);
  const unknown = await client.send(envelope({ body: '<list/>' }, [], 'ABC-1'));
  expect([unknown.code, unknown.clTRID]).toEqual([2502, 'ABC-1']);
  expect((await client.command({ body: '<logout><a/></logout>' })).codes).toEqual([2502]);
  expect((await client.send(`${envelope(poll.request)}${' '.repeat(40_000)}`)).codes).toEqual([2502]);
  expect(delays.mock.calls.filter(([, ms]) => ms === 300)).toHaveLength(5);
  expect((await client.command(poll.request)).code).toBeLessThan(2000);
  expect((await client.logIn('alpha', 'alpha-sandbox-password')).codes).toEqual([2502]);
  await client.closed();
});

test('failure: the sessions of a user have it together; logout is answered in any case', async () => {
  const [first, second] = [await logIn('beta'), await logIn('beta')];
  await greet(first, PER_MINUTE);
  expect((await second.hello()).codes).toEqual([2502]);
  for (const client of [first, second]) expect((await client.logOut()).code).toBe(1500);
});

test('success: a client whose commands are used up still keeps its session open', async () => {
  const client = await logIn('poor');
  for (let frame = 0; frame < PER_MINUTE; frame += 1)
    expect((await client.command(poll.request)).code).toBeLessThan(2000);
  expect((await client.command(poll.request)).code).toBe(2502);
  await greet(client, PER_MINUTE);
  expect((await client.hello()).codes).toEqual([2502]);
});

test('failure: what is refused in maintenance counts too', async () => {
  let isMaintained = false;
  const server = await startEppServerForTest({
    settings: { rateLimitPerMinute: 3 },
    unavailable: () => (isMaintained ? refusal('maintenance') : undefined),
  });
  onTestFinished(() => server.stop());
  const client = await server.logIn('alpha');
  isMaintained = true;
  const codes = [];
  for (let frame = 0; frame < 4; frame += 1) codes.push((await client.command(poll.request)).code);
  expect(codes).toEqual([2400, 2400, 2400, 2502]);
  expect((await client.logOut()).code).toBe(1500);
});
