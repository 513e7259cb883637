import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SlicedStream } from '../../src/platform/sliced-stream.ts';

type Options = ConstructorParameters<typeof SlicedStream>[1];

/** A socket whose client has sent a text, and the stream that reads it in turns. */
async function slicedStream(sent: string, awaitTurn: Options['awaitTurn'], bounds: Partial<Options> = {}) {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write(sent);
  const [socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void socket.destroy());
  return { client, socket, stream: new SlicedStream(socket, { awaitTurn, ...bounds }) };
}

const atOnce = (read: () => void) => read();
const TEXT = 'abcdefghij'.repeat(20_000);

test('success: what was sent is read in slices, and the end of both sides is told', async () => {
  const { client, stream } = await slicedStream(TEXT, atOnce);
  client.end();
  const slices: Buffer[] = [];
  stream.on('data', (slice: Buffer) => slices.push(slice));
  await once(stream, 'end');
  expect(Buffer.concat(slices).toString()).toBe(TEXT);
  expect(Math.max(...slices.map(({ length }) => length))).toBe(2_048);
  stream.end(TEXT);
  expect(await text(client)).toBe(TEXT);
});

test('success: it is read only in its turn, and as long as the reader wants more', async () => {
  const turns: (() => void)[] = [];
  const { client, socket, stream } = await slicedStream(TEXT, (read) => turns.push(read));
  client.end();
  const received = vi.fn(() => void stream.pause());
  stream.on('data', received);
  await vi.waitFor(() => expect(turns).toHaveLength(1));
  expect([received.mock.calls.length, socket.isPaused()]).toEqual([0, true]);
  // Each may ask for another one.
  for (const turn of turns) turn();
  expect([received.mock.calls.length, stream.readableLength]).toEqual([1, 2_048]);
});

test('success: what was received before the end is read before it', async () => {
  const turns: (() => void)[] = [];
  const { client, socket, stream } = await slicedStream('last words', (read) => turns.push(read));
  client.end();
  const ended = once(socket, 'end');
  const read = text(stream);
  await ended;
  expect([turns.length, stream.readableEnded]).toEqual([1, false]);
  turns[0]?.();
  expect(await read).toBe('last words');
});

test('success: the stream and its socket close together', async () => {
  const first = await slicedStream('x', atOnce);
  first.stream.destroy();
  expect(first.socket.destroyed).toBe(true);
  const second = await slicedStream('x', atOnce);
  second.socket.on('error', () => {});
  second.client.resetAndDestroy();
  await once(second.stream, 'close');
});

test.each([
  ['received', { mayReceive: (bytes: number) => bytes <= 5_000 }, 0],
  ['handed on', { mayHandOn: (bytes: number) => bytes <= 5_000 }, 2],
])('failure: more than may be %s closes the socket', async (_, bounds, slices) => {
  const { socket, stream } = await slicedStream(TEXT, atOnce, bounds);
  const received = vi.fn();
  stream.on('data', received);
  await once(stream, 'close');
  expect([socket.destroyed, received.mock.calls.length]).toEqual([true, slices]);
});
