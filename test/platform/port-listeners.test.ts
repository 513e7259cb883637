import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Listeners } from '../../src/platform/port-listeners.ts';

const host = '127.0.0.1';

/** A server with its listeners, and the connections that it was handed. */
async function startServer(options = {}, port = 0) {
  const sockets: Socket[] = [];
  const server: Server = createServer(options, (socket) => {
    sockets.push(socket.on('error', () => {}));
  });
  const listeners = new Listeners(server);
  onTestFinished(() => {
    server.close();
    void listeners.close();
    for (const socket of sockets) socket.destroy();
  });
  return { sockets, listeners, port: await listeners.listen({ host, port }) };
}

async function open(count: number, port: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ host, port }).on('error', () => {}));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

test.runIf(process.platform === 'linux')(
  'success: several connections are accepted in a turn of the event loop, whichever listener has them',
  async () => {
    const { sockets, port } = await startServer();
    await open(64, port);
    let turns = 0;
    while (sockets.length < 64 && turns < 1_000) {
      await nextTurn();
      turns += 1;
    }
    expect(sockets).toHaveLength(64);
    expect(turns).toBeLessThan(48);
  },
);

test('success: connections have the options of the server, whichever listener accepts them', async () => {
  const { sockets, port } = await startServer({ allowHalfOpen: true, pauseOnConnect: true });
  await open(32, port);
  await expect.poll(() => sockets.length).toBe(32);
  expect(sockets.every((socket) => socket.allowHalfOpen && socket.isPaused())).toBe(true);
});

test('success: nothing is accepted any more once it is closed, which waits for the connections that are open', async () => {
  const { sockets, listeners, port } = await startServer();
  await open(32, port);
  await expect.poll(() => sockets.length).toBe(32);
  let isClosed = false;
  const closed = listeners.close().then(() => {
    isClosed = true;
  });
  await nextTurn();
  expect(isClosed).toBe(process.platform !== 'linux');
  for (const socket of sockets) socket.destroy();
  await closed;
});

test('success: a server has another address, too', async () => {
  const { sockets, listeners, port } = await startServer();
  await listeners.add({ host: '127.0.0.1', port: 0 });
  expect(port).toBeGreaterThan(0);
  expect(sockets).toHaveLength(0);
});

test('failure: a port that another program listens on', async () => {
  const other = createServer().listen({ host, port: 0, reusePort: process.platform === 'linux' });
  await once(other, 'listening');
  onTestFinished(() => {
    other.close();
  });
  const { port } = other.address() as AddressInfo;
  await expect(startServer({}, port)).rejects.toThrow('EADDRINUSE');
});
