import { expect, test, vi } from 'vitest';
import { encodeFrame } from '../../../src/doors/epp/wire/frame-reader.ts';
import { EppPeerClient } from '../../support/epp-peer.ts';
import { startStubServer } from '../../support/epp-stub.ts';

const MIB = 1024 * 1024;
const frameOf = (bytes: number): Buffer => encodeFrame('x'.repeat(bytes));

async function logIn(port: number, registrar: string): Promise<EppPeerClient> {
  const client = await EppPeerClient.connect(port);
  await client.receive();
  await client.exchange(`login ${registrar}`);
  return client;
}

/** Sends the frame but its last byte, and resolves when the rest may be sent. */
function sendUnfinished(client: EppPeerClient, bytes: number): { readonly finish: () => void } {
  const frame = frameOf(bytes);
  client.socket.write(frame.subarray(0, -1));
  return { finish: () => client.socket.write(frame.subarray(-1)) };
}

test('success: of a registrar one large frame is received at a time, and those that wait are not late', async () => {
  const server = await startStubServer({ timeouts: { frameMs: 400 } });
  const [first, second] = [await logIn(server.port, 'ALPHA'), await logIn(server.port, 'ALPHA')];
  const unfinished = sendUnfinished(first, 2 * MIB);
  // Frames are given time for what has arrived of them.
  await new Promise((resolve) => setTimeout(resolve, 50));
  second.socket.write(frameOf(11 * MIB));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(server.handled()).toBe(2);
  // What the server does not read is kept by the system and by the client.
  expect(second.socket.writableLength).toBeGreaterThan(0);
  unfinished.finish();
  expect(await first.receive()).toBe(String(2 * MIB));
  expect(await second.receive()).toBe(String(11 * MIB));
  expect(server.ended).toEqual([]);
});

test('success: small frames of a registrar pass one that is not finished', async () => {
  const server = await startStubServer();
  const [slow, other] = [await logIn(server.port, 'ALPHA'), await logIn(server.port, 'ALPHA')];
  sendUnfinished(slow, MIB);
  expect(await other.exchange('hello')).toBe('hello');
});

test('success: a frame that waits and whose client leaves keeps nobody waiting', async () => {
  const server = await startStubServer();
  const [slow, leaving, last] = [
    await logIn(server.port, 'ALPHA'),
    await logIn(server.port, 'ALPHA'),
    await logIn(server.port, 'ALPHA'),
  ];
  const unfinished = sendUnfinished(slow, MIB);
  sendUnfinished(leaving, MIB);
  leaving.socket.destroy();
  unfinished.finish();
  expect(await slow.receive()).toBe(String(MIB));
  expect(await last.exchange('x'.repeat(MIB))).toBe(String(MIB));
});

test('failure: where frames of all registrars take too much, the largest is refused and the others are received', async () => {
  const server = await startStubServer({ maxLargeFrameBytes: 4 * MIB });
  const [large, small, newcomer] = [
    await logIn(server.port, 'LARGE'),
    await logIn(server.port, 'SMALL'),
    await logIn(server.port, 'NEWCOMER'),
  ];
  // In whatever order they are received: when all take too much, more than 2 MiB of the first have arrived.
  sendUnfinished(large, 3 * MIB);
  const others = [sendUnfinished(small, 0.75 * MIB), sendUnfinished(newcomer, MIB)];
  expect(await large.receive()).toBe('refused');
  await large.closed();
  await vi.waitFor(() => expect(server.ended).toEqual(['frame-refused']));
  for (const { finish } of others) finish();
  expect(await small.receive()).toBe(String(0.75 * MIB));
  expect(await newcomer.receive()).toBe(String(MIB));
});

test('success: a frame that is whole and worked on is not refused', async () => {
  const server = await startStubServer({ maxLargeFrameBytes: 4 * MIB });
  const [whole, other] = [await logIn(server.port, 'WHOLE'), await logIn(server.port, 'OTHER')];
  whole.socket.write(Buffer.concat([encodeFrame('wait'), frameOf(3 * MIB)]));
  await vi.waitFor(() => expect(server.handled()).toBe(3));
  server.release();
  expect(await whole.receive()).toBe('wait');
  expect(await whole.receive()).toBe(String(3 * MIB));
  expect(await other.exchange('x'.repeat(2 * MIB))).toBe(String(2 * MIB));
});
