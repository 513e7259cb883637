import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { keepOnePiece, readNothingYet } from '../../src/platform/node-net.ts';

async function accepted(prepare: (server: ReturnType<typeof createServer>) => void) {
  const server = createServer();
  prepare(server);
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void client.destroy());
  const [socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => void socket.destroy());
  const sendBytes = async (count: number) => {
    for (let sent = 0; sent < count; sent += 1) {
      await new Promise((resolve) => client.write('x', resolve));
      await sleep(1);
    }
  };
  return { socket, sendBytes };
}

test('success: of a paused connection one piece is read, and all of it once it is resumed', async () => {
  const { socket, sendBytes } = await accepted(keepOnePiece);
  socket.pause();
  await sendBytes(50);
  // What arrives with the first byte is one piece with it.
  expect(socket.readableLength).toBeLessThan(25);
  let received = 0;
  socket.on('data', ({ length }: Buffer) => {
    received += length;
  });
  socket.resume();
  await expect.poll(() => received).toBe(50);
});

test('success: nothing of a connection is read before it is resumed', async () => {
  const { socket, sendBytes } = await accepted(readNothingYet);
  await sendBytes(3);
  expect([socket.bytesRead, socket.readableLength]).toEqual([0, 0]);
  const received = once(socket, 'data');
  socket.resume();
  expect(String(await received)).toBe('xxx');
});
