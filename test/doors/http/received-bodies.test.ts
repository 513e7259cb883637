import { connect, type Socket } from 'node:net';
import { test, vi } from 'vitest';
import { head } from '../../support/attacks/raw-connection.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../../support/registry.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';

const MIB = 1024 * 1024;
const userOf = (name: string) =>
  `Authorization: Basic ${Buffer.from(`${name}:${name}-sandbox-password`).toString('base64')}`;

/** Its address is that of a registrar from then on: strangers have a smaller share, which counts until a login is verified. */
async function registryAtKnownAddress(): Promise<TestRegistry> {
  const registry = await freshRegistryForThisTest();
  const { status } = await fetch(`${registry.url}/registry/v1/accounts/balance`, {
    headers: { authorization: userOf('alpha').slice(15) },
  });
  expect(status).toBe(200);
  return registry;
}

/** A request of which all but the last byte is sent, and what was answered. */
function sendUnfinished(registry: TestRegistry, user: string) {
  const socket: Socket = connect({ port: Number(new URL(registry.url).port), host: '127.0.0.1' });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const state = { answer: '' };
  socket.on('data', (chunk: Buffer) => {
    state.answer += chunk;
  });
  const headers = [userOf(user), 'Content-Type: application/json', `Content-Length: ${MIB}`];
  socket.write(head('POST /registry/v1/contacts', headers));
  socket.write(Buffer.alloc(MIB - 1, ' '));
  return { state, finish: () => socket.write(' ') };
}

test('failure: bodies of a registrar that are never finished are refused beyond its share, and others of it are read', async () => {
  const registry = await registryAtKnownAddress();
  const sent = Array.from({ length: 24 }, () => sendUnfinished(registry, 'alpha'));
  const refused = () => sent.filter(({ state }) => state.answer.startsWith('HTTP/1.1 503 '));
  await vi.waitFor(() => expect(refused()).toHaveLength(4));
  for (const { state } of refused()) {
    expect(state.answer.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    expect(state.answer).toContain('"code":2400');
  }
  const small = await fetch(`${registry.url}/registry/v1/contacts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: userOf('alpha').slice(15) },
    body: '{}',
  });
  expect(small.status).toBe(400);
  // Those that were not refused are answered once they are whole.
  const kept = sent.filter(({ state }) => state.answer === '');
  for (const { finish } of kept) finish();
  await vi.waitFor(() => expect(sent.filter(({ state }) => state.answer === '')).toEqual([]));
  expect(kept.every(({ state }) => state.answer.startsWith('HTTP/1.1 400 '))).toBe(true);
});

test('success: unfinished bodies of one registrar take no place of another one', async () => {
  const registry = await registryAtKnownAddress();
  const ofAlpha = Array.from({ length: 24 }, () => sendUnfinished(registry, 'alpha'));
  await vi.waitFor(() => expect(ofAlpha.filter(({ state }) => state.answer !== '')).toHaveLength(4));
  const ofBeta = sendUnfinished(registry, 'beta');
  ofBeta.finish();
  await vi.waitFor(() => expect(ofBeta.state.answer).toMatch(/^HTTP\/1\.1 400 /));
});

test('success: a refused body is received to its end, and its connection goes on', async () => {
  const registry = await registryAtKnownAddress();
  const sent = Array.from({ length: 24 }, () => sendUnfinished(registry, 'alpha'));
  const refused = () => sent.find(({ state }) => state.answer !== '');
  await vi.waitFor(() => expect(refused()).toBeDefined());
  const one = refused();
  one?.finish();
  await vi.waitFor(() => expect(one?.state.answer).toMatch(/^HTTP\/1\.1 503 /));
  expect(one?.state.answer.toLowerCase()).not.toContain('connection: close');
});
