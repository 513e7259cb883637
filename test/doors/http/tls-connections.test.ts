import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Connections } from '../../../src/doors/http/http-connections.ts';
import { postHead } from '../../support/attacks/raw-connection.ts';
import { selfSigned } from '../../support/certificates.ts';
import { freePort } from '../../support/free-port.ts';

const config = { trustedProxies: [] as string[], maxConnectionsPerAddress: 100, requestTimeoutMs: 60_000 };

function startConnections(changes: Partial<typeof config> = {}): Connections {
  const connections = new Connections({
    config: { ...config, ...changes },
    ended: () => {},
    answerMalformed: () => {},
  });
  onTestFinished(() => connections.stop());
  return connections;
}

test.runIf(process.platform === 'linux')(
  'success: two connections of one source to two addresses of the server are counted and ended as two',
  async () => {
    const connections = startConnections();
    const server = createServer(await selfSigned('localhost'));
    connections.watch(server);
    onTestFinished(() => void server.close());
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const source = { localAddress: '127.0.0.1', localPort: await freePort() };
    const open = async (host: string) => {
      const secured = once(server, 'secureConnection');
      const client = connect({ ...source, host, port, rejectUnauthorized: false });
      onTestFinished(() => void client.destroy());
      const [socket] = await secured;
      return { client, socket };
    };
    const one = await open('127.0.0.1');
    const other = await open('127.0.0.2');
    expect(connections.size).toBe(2);
    other.client.destroy();
    await vi.waitFor(() => expect(connections.size).toBe(1));
    expect(connections.bucketOf(one.socket)).toBe('127.0.0.1');
    connections.closeIdle();
    await once(one.client, 'close');
    await vi.waitFor(() => expect(connections.size).toBe(0));
  },
);

test('success: a request over TLS knows the address of its client, and its body arrives in slices', async () => {
  const connections = startConnections();
  const pieces: number[] = [];
  const server = createServer(await selfSigned('localhost'), (request, response) => {
    request.on('data', ({ length }: Buffer) => pieces.push(length));
    request.on('end', () => response.end(request.socket.remoteAddress));
  });
  connections.watch(server);
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  onTestFinished(() => void client.destroy());
  client.write(`${postHead('/', 100_000, ['Connection: close'])}${'x'.repeat(100_000)}`);
  expect((await text(client)).split('\r\n')).toContain('127.0.0.1');
  expect(pieces.reduce((sum, length) => sum + length)).toBe(100_000);
});

/** A connection as it is accepted; the address is what it is told apart by. */
const accepted = (remoteAddress: string): Socket =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });

test('success: connections arrive one in a turn, those of a known address not behind strangers', async () => {
  const connections = startConnections();
  const served: Socket[] = [];
  const server = new Server((socket) => {
    served.push(socket);
    const until = performance.now() + 1;
    while (performance.now() < until);
  });
  connections.watch(server);
  const known = accepted('192.0.2.1');
  server.emit('connection', known);
  while (served.length < 1) await nextTurn();
  connections.inTurn(({ socket }) => connections.markAuthenticated(socket, 'one'))(
    { socket: known } as IncomingMessage,
    new EventEmitter() as ServerResponse,
  );
  const [strangers, others, more] = ['192.0.2.2', '192.0.2.3', '192.0.2.1'].map((address) =>
    Array.from({ length: 3 }, () => accepted(address)),
  ) as [Socket[], Socket[], Socket[]];
  for (const socket of [...strangers, ...others, ...more]) server.emit('connection', socket);
  strangers[1]?.destroy();
  while (served.length < 9) await nextTurn();
  const isMore = (socket: Socket) => more.includes(socket);
  // The addresses in rotation.
  expect(served.filter((socket) => !isMore(socket))).toEqual([
    known,
    strangers[0],
    others[0],
    others[1],
    strangers[2],
    others[2],
  ]);
  expect(served.slice(0, 7).filter(isMore)).toEqual(more);
});

test("success: strangers' requests wait for a turn once they have used theirs, those of known clients do not", async () => {
  const connections = startConnections();
  const server = new Server();
  connections.watch(server);
  const handled: Socket[] = [];
  const handle = connections.inTurn(({ socket }) => {
    handled.push(socket);
    connections.markAuthenticated(known, 'one');
    const until = performance.now() + 2;
    while (performance.now() < until);
  });
  const [known, ...strangers] = ['192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.3'].map(accepted) as [
    Socket,
    ...Socket[],
  ];
  for (const socket of [known, ...strangers]) server.emit('connection', socket);
  const request = (socket: Socket) => {
    const response = new EventEmitter();
    handle({ socket } as IncomingMessage, response as ServerResponse);
    return response;
  };
  request(known).emit('close');
  await nextTurn();
  for (const socket of strangers) request(socket);
  request(known);
  expect(handled).toEqual([known, strangers[0], known]);
  strangers[1]?.destroy();
  while (handled.length < 4) await nextTurn();
  expect(handled[3]).toBe(strangers[2]);
});

test('success: so do those that a trusted proxy forwards, whichever of its connections they come on', async () => {
  const connections = startConnections({ trustedProxies: ['192.0.2.99/32'] });
  const server = new Server();
  connections.watch(server);
  const handled: string[] = [];
  const handle = connections.inTurn(({ headers, socket }) => {
    const client = String(headers['x-forwarded-for'] ?? 'the proxy');
    handled.push(client);
    if (client === '203.0.113.1') connections.markAuthenticated(socket, 'one');
    const until = performance.now() + 2;
    while (performance.now() < until);
  });
  const request = (forwarded?: string) => {
    const socket = accepted('192.0.2.99');
    server.emit('connection', socket);
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    handle({ socket, headers } as IncomingMessage, new EventEmitter() as ServerResponse);
  };
  request('203.0.113.1');
  await nextTurn();
  for (const stranger of ['203.0.113.2', '203.0.113.2', '203.0.113.3']) request(stranger);
  request('203.0.113.1');
  request();
  expect(handled).toEqual(['203.0.113.1', '203.0.113.2', '203.0.113.1', 'the proxy']);
  while (handled.length < 6) await nextTurn();
  expect(handled.slice(4)).toEqual(['203.0.113.2', '203.0.113.3']);
});
