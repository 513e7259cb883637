import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Connections } from '../../../src/doors/http/connections.ts';
import { postHead } from '../../support/attacks/raw-connection.ts';
import { selfSigned } from '../../support/certificates.ts';
import { freePort } from '../../support/free-port.ts';

const config = { trustedProxies: [], maxConnectionsPerAddress: 100, requestTimeoutMs: 60_000 };

function startConnections(): Connections {
  const connections = new Connections({ config, ended: () => {}, answerMalformed: () => {} });
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

test('success: connections of an address that has many wait for some turns, those of others do not', async () => {
  const connections = startConnections();
  const served: Socket[] = [];
  const server = new Server((socket) => served.push(socket));
  connections.watch(server);
  const many = Array.from({ length: 20 }, () => accepted('192.0.2.1'));
  const other = accepted('192.0.2.2');
  for (const socket of [...many, other]) server.emit('connection', socket);
  expect(served).toEqual([...many.slice(0, 16), other]);
  many[17]?.destroy();
  while (served.length < 20) await nextTurn();
  expect(served.slice(17)).toEqual([many[16], many[18], many[19]]);
});

test("success: strangers' requests wait for a turn once they have used theirs, those of known clients do not", async () => {
  const connections = startConnections();
  const server = new Server();
  connections.watch(server);
  const handled: Socket[] = [];
  const handle = connections.inTurn(({ socket }) => {
    handled.push(socket);
    connections.markAuthenticated(known);
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
