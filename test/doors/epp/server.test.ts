import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { DEFAULT_CIPHERS } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { type ConnectionTimeouts, EppConnection } from '../../../src/doors/epp/wire/epp-connection.ts';
import { encodeFrame } from '../../../src/doors/epp/wire/frame-reader.ts';
import { LargeFrames } from '../../../src/doors/epp/wire/large-frames.ts';
import { readCertificate } from '../../../src/platform/certificates/certificate.ts';
import { selfSigned } from '../../support/certificates.ts';
import { EppPeerClient, proxyHeader, rawPeer } from '../../support/epp-peer.ts';
import { startStubServer } from '../../support/epp-stub.ts';
import { freePort } from '../../support/free-port.ts';
import { holdTime } from '../../support/held-time.ts';

const MIB = 1024 * 1024;
const header = (bytes: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(bytes);
  return buffer;
};

const loggedIn = async (port: number): Promise<EppPeerClient> => logIn(await EppPeerClient.connect(port));

async function logIn(client: EppPeerClient): Promise<EppPeerClient> {
  await client.receive();
  expect(await client.exchange('login')).toBe('login');
  return client;
}

test('success: the greeting comes first, and pipelined commands are handled one at a time, in order', async () => {
  const server = await startStubServer();
  const client = await EppPeerClient.connect(server.port);
  const sent = Array.from({ length: 200 }, (_, index) => `command ${index}`);
  client.socket.write(Buffer.concat(sent.map(encodeFrame)));
  expect(await client.receive()).toBe('hello 127.0.0.1');
  for (const each of sent) expect(await client.receive()).toBe(each);
  expect(server.mostAtOnce()).toBe(1);
});

test('success: the session gets the fingerprint of the client certificate, and decides without one', async () => {
  const server = await startStubServer();
  const identity = await selfSigned('alpha');
  for (const options of [identity, {}]) await (await EppPeerClient.connect(server.port, options)).receive();
  const fingerprint = readCertificate(identity.cert)?.fingerprint;
  expect(server.peers.map((peer) => peer.fingerprint)).toEqual([fingerprint, undefined]);
  expect(server.peers[0]?.tlsVersion).toBe('TLSv1.3');
});

test.runIf(process.platform === 'linux')(
  'success: two connections of one source to two addresses of the server are two sessions',
  async () => {
    const server = await startStubServer({ host: '0.0.0.0' });
    const source = { localAddress: '127.0.0.1', localPort: await freePort(), port: server.port };
    const own = connect({ ...source, host: '127.0.0.1' });
    const other = connect({ ...source, host: '127.0.0.2' });
    await vi.waitFor(() => expect(server.connections()).toBe(2));
    // Both are accepted before the first handshake begins.
    const [victim, stranger] = await Promise.all([
      EppPeerClient.connect(0, { ...(await selfSigned('alpha')), socket: own }),
      EppPeerClient.connect(0, { socket: other }),
    ]);
    for (const client of [victim, stranger]) expect(await client.receive()).toBe('hello 127.0.0.1');
    expect(await victim.exchange('login')).toBe('login');
    expect(await stranger.exchange('mine')).toBe('mine');
    stranger.socket.destroy();
    await vi.waitFor(() => expect(server.connections()).toBe(1));
    expect(await victim.exchange('still here')).toBe('still here');
    expect(server.peers.map(({ fingerprint }) => fingerprint).toSorted()).toEqual([
      expect.any(String),
      undefined,
    ]);
    expect([server.closed(), server.ended]).toEqual([1, ['closed-by-client']]);
  },
);

const silentSession = {
  registrar: undefined,
  greeting: () => '',
  refuseFrame: () => '',
  handle: () => expect.fail(),
  close: () => {},
};
const options = {
  timeouts: {} as ConnectionTimeouts,
  openSession: () => silentSession,
  loggedIn: () => {},
  largeFrames: new LargeFrames(),
};

test('failure: a connection is not opened a second time', async () => {
  const server = await startStubServer();
  const client = await EppPeerClient.connect(server.port);
  await client.receive();
  const connection = new EppConnection(client.socket, '127.0.0.1', options);
  connection.open(client.socket);
  expect(() => connection.open(client.socket)).toThrow('one session');
});

test('failure: a client that does not read what TLS itself answers is cut', async () => {
  const server = await startStubServer();
  const client = await EppPeerClient.connect(server.port);
  await client.receive();
  const raw = Object.defineProperty(new Socket(), 'writableLength', { value: 1 });
  const timeouts = { loginMs: 1e9, answerMs: 20_000 } as ConnectionTimeouts;
  const connection = new EppConnection(raw, '127.0.0.1', { ...options, timeouts });
  connection.open(client.socket);
  connection.sweep(0);
  connection.sweep(19_000);
  expect(connection.endReason).toBe(undefined);
  connection.sweep(21_000);
  expect(connection.endReason).toBe('unread-answer');
});

test('success: TLS 1.2 is accepted with forward secrecy', async () => {
  const server = await startStubServer();
  await (await EppPeerClient.connect(server.port, { maxVersion: 'TLSv1.2' })).receive();
  expect(server.peers[0]?.tlsVersion).toBe('TLSv1.2');
});

test.each([
  ['TLS 1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0` }],
  ['CBC', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' }],
] as const)('failure: %s is refused, also after the certificate was renewed', async (_, options) => {
  const server = await startStubServer();
  await expect(EppPeerClient.connect(server.port, options)).rejects.toThrow();
  server.setSecureContext(await selfSigned('localhost'));
  await expect(EppPeerClient.connect(server.port, options)).rejects.toThrow();
  await vi.waitFor(() => expect(server.ended).toEqual(['tls-failed', 'tls-failed']));
});

test('success: a renewed certificate is used for new connections, and open ones continue', async () => {
  const server = await startStubServer();
  const before = await loggedIn(server.port);
  const renewed = await selfSigned('localhost');
  server.setSecureContext(renewed);
  const after = await loggedIn(server.port);
  const shown = (client: EppPeerClient) => client.socket.getPeerX509Certificate()?.toString();
  expect(shown(after)?.trim()).toBe(renewed.cert.trim());
  expect(shown(before)).not.toBe(shown(after));
  expect(await before.exchange('still here')).toBe('still here');
});

const fromTen = proxyHeader(0x21, 0x11, '0a0000017f000001303902bc');
const fromEleven = proxyHeader(0x21, 0x11, '0a00000b7f000001303902bc');
const trustedProxies = ['127.0.0.1'];

test.each([
  ['in one piece', [fromTen]],
  ['byte by byte', Array.from(fromTen, (byte) => Buffer.of(byte))],
])('success: a trusted proxy sends the address of its client, %s', async (_, pieces) => {
  const server = await startStubServer({ trustedProxies });
  const client = await EppPeerClient.throughProxy(server.port, pieces);
  expect(await client.receive()).toBe('hello 10.0.0.1');
  expect(await client.exchange('x'.repeat(8_000))).toBe('8000');
});

test('success: header and handshake may arrive together', async () => {
  const server = await startStubServer({ trustedProxies });
  const raw = await rawPeer(server.port);
  raw.cork();
  raw.write(fromTen);
  const connecting = EppPeerClient.connect(server.port, { socket: raw });
  setImmediate(() => raw.uncork());
  expect(await (await connecting).receive()).toBe('hello 10.0.0.1');
});

test('success: a proxy with a LOCAL header is not limited', async () => {
  const server = await startStubServer({ trustedProxies, maxConnectionsPerAddress: 1 });
  const local = proxyHeader(0x20, 0, '');
  const clients = await Promise.all([1, 2, 3].map(() => EppPeerClient.throughProxy(server.port, [local])));
  for (const client of clients) expect(await client.receive()).toBe('hello 127.0.0.1');
});

test('failure: a trusted proxy must send the header, and no other client may', async () => {
  const trusting = await startStubServer({ trustedProxies });
  await expect(EppPeerClient.connect(trusting.port)).rejects.toThrow();
  const plain = await startStubServer();
  await expect(EppPeerClient.throughProxy(plain.port, [fromTen])).rejects.toThrow();
  await vi.waitFor(() => expect([trusting.ended, plain.ended]).toEqual([['proxy-header'], ['tls-failed']]));
});

test.each([
  ['a length of 0', header(0)],
  ['a length of 4', header(4)],
  ['the largest length', header(0xffffffff)],
  ['a byte more than 8 KiB before the login', header(8_193)],
])('failure: %s ends the connection', async (_, bytes) => {
  const server = await startStubServer();
  const client = await EppPeerClient.connect(server.port);
  client.socket.write(bytes);
  await client.closed();
  await vi.waitFor(() => expect(server.ended).toEqual(['invalid-frame']));
  expect(server.closed()).toBe(1);
});

test('success: after the login a frame of 12 MiB is accepted, also pipelined behind it; a byte more is not', async () => {
  const server = await startStubServer();
  const client = await EppPeerClient.connect(server.port);
  const large = 'x'.repeat(12 * MIB - 4);
  client.send('login');
  client.send(large);
  expect([await client.receive(), await client.receive(), await client.receive()]).toEqual([
    'hello 127.0.0.1',
    'login',
    String(large.length),
  ]);
  client.socket.write(header(12 * MIB + 1));
  await client.closed();
  await vi.waitFor(() => expect(server.ended).toEqual(['invalid-frame']));
});

test('failure: announced frames that do not arrive take no memory', async () => {
  const server = await startStubServer();
  const clients = await Promise.all(Array.from({ length: 50 }, () => loggedIn(server.port)));
  const before = process.memoryUsage().arrayBuffers;
  for (const client of clients) client.socket.write(Buffer.concat([header(12 * MIB), Buffer.from('<epp')]));
  await vi.waitFor(() => expect(clients.every(({ socket }) => socket.writableLength === 0)).toBe(true));
  expect(await (await loggedIn(server.port)).exchange('others are served')).toBe('others are served');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * MIB);
});

test('failure: a peer that does not complete the handshake is disconnected', async () => {
  const server = await startStubServer({ timeouts: { handshakeMs: 100 }, trustedProxies: ['127.0.0.2'] });
  const raw = await rawPeer(server.port);
  raw.resume();
  await once(raw, 'close');
  await vi.waitFor(() => expect(server.ended).toEqual(['handshake-timeout']));
});

test('failure: a frame sent byte by byte is ended by the login timeout before the login, by the frame timeout after it', async () => {
  const trickle = async (client: EppPeerClient): Promise<void> => {
    const bytes = encodeFrame('x'.repeat(1_000));
    let at = 0;
    const timer = setInterval(() => {
      if (client.socket.writable) client.socket.write(bytes.subarray(at, ++at));
    }, 10);
    await client.closed();
    clearInterval(timer);
  };
  const login = await startStubServer({ timeouts: { loginMs: 300 } });
  const unauthenticated = await EppPeerClient.connect(login.port);
  await unauthenticated.receive();
  await trickle(unauthenticated);
  const frames = await startStubServer({ timeouts: { frameMs: 200 } });
  await trickle(await loggedIn(frames.port));
  await vi.waitFor(() => expect([login.ended, frames.ended]).toEqual([['login-timeout'], ['frame-timeout']]));
});

test('failure: an idle session is ended; one with a running command is not', async () => {
  const time = holdTime();
  const server = await startStubServer({ idleTimeoutMs: 300_000 });
  const [idle, busy] = [await loggedIn(server.port), await loggedIn(server.port)];
  busy.send('wait');
  await vi.waitFor(() => expect(server.handled()).toBe(3));
  time.pass(300_001);
  await idle.closed();
  await vi.waitFor(() => expect(server.ended).toEqual(['idle-timeout']));
  server.release();
  expect(await busy.receive()).toBe('wait');
});

test('failure: a client that does not read its answers is disconnected, and gets no further ones until then', async () => {
  const server = await startStubServer({ timeouts: { answerMs: 300 } });
  const client = await loggedIn(server.port);
  client.stopReading();
  const commands = 5_000;
  client.socket.write(Buffer.concat(Array.from({ length: commands }, () => encodeFrame('big 32768'))));
  await vi.waitFor(() => expect(server.ended).toEqual(['unread-answer']), { timeout: 20_000 });
  expect(server.handled()).toBeLessThan(commands / 4);
});

test('success: reading stops while a command runs and others wait, and nothing is lost', async () => {
  const server = await startStubServer();
  const client = await loggedIn(server.port);
  client.send('wait');
  const commands = 1_000;
  const frame = encodeFrame('x'.repeat(16_000));
  for (let index = 0; index < commands; index += 1) client.socket.write(frame);
  let [held, unchanged] = [-1, 0];
  await vi.waitFor(() => {
    const now = client.socket.writableLength;
    unchanged = now === held ? unchanged + 1 : 0;
    held = now;
    expect(unchanged).toBe(5);
  });
  // The rest is in kernel buffers, and 64 KiB in the server's own.
  expect(held).toBeGreaterThan(0);
  server.release();
  expect(await client.receive()).toBe('wait');
  for (let index = 0; index < commands; index += 1) await client.receive();
  expect(server.handled()).toBe(commands + 2);
  expect(server.mostAtOnce()).toBe(1);
});

test('success: pipelined commands whose answers are ready at once do not starve other connections', async () => {
  const server = await startStubServer();
  const client = await loggedIn(server.port);
  const commands = 2_000;
  let [most, before] = [0, server.handled()];
  const count = (): void => {
    most = Math.max(most, server.handled() - before);
    before = server.handled();
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  client.socket.write(Buffer.concat(Array.from({ length: commands }, () => encodeFrame('x'))));
  for (let index = 0; index < commands; index += 1) await client.receive();
  clearImmediate(counting);
  expect(most).toBeLessThan(10);
});

test('failure: too many connections of an address displace those that have not logged in, never a session', async () => {
  const server = await startStubServer({ maxConnectionsPerAddress: 2 });
  const unauthenticated = await EppPeerClient.connect(server.port);
  const session = await loggedIn(server.port);
  const second = await loggedIn(server.port);
  await unauthenticated.closed();
  expect(server.ended).toEqual(['displaced']);
  await expect(EppPeerClient.connect(server.port)).rejects.toThrow();
  expect(server.ended).toEqual(['displaced', 'too-many']);
  for (const client of [session, second]) expect(await client.exchange('here')).toBe('here');
});

test('failure: behind a proxy the addresses of the clients are limited', async () => {
  const server = await startStubServer({ trustedProxies, maxConnectionsPerAddress: 1 });
  const first = await EppPeerClient.throughProxy(server.port, [fromTen]);
  const other = await EppPeerClient.throughProxy(server.port, [fromEleven]);
  await EppPeerClient.throughProxy(server.port, [fromTen]);
  await first.closed();
  expect(await other.receive()).toBe('hello 10.0.0.11');
  expect(server.ended).toEqual(['displaced']);
});

test('failure: too many connections of all addresses displace one of the address with most', async () => {
  const server = await startStubServer({ trustedProxies, maxConnections: 2 });
  const [first] = [
    await EppPeerClient.throughProxy(server.port, [fromTen]),
    await EppPeerClient.throughProxy(server.port, [fromTen]),
    await EppPeerClient.throughProxy(server.port, [fromEleven]),
  ];
  await first.closed();
  expect([server.ended, server.connections()]).toEqual([['displaced'], 2]);
});

test('failure: too many strangers of all addresses displace the oldest of them, never a session', async () => {
  const server = await startStubServer({ maxStrangers: 2, trustedProxies });
  const session = await logIn(await EppPeerClient.throughProxy(server.port, [fromTen]));
  const oldest = await EppPeerClient.throughProxy(server.port, [fromEleven]);
  await EppPeerClient.throughProxy(server.port, [fromEleven]);
  // Of an address from which there was a login: no stranger.
  const known = await EppPeerClient.throughProxy(server.port, [fromTen]);
  expect(server.ended).toEqual([]);
  const newcomer = await logIn(await EppPeerClient.throughProxy(server.port, [fromEleven]));
  await oldest.closed();
  expect(server.ended).toEqual(['displaced']);
  await known.receive();
  for (const client of [session, newcomer, known]) expect(await client.exchange('here')).toBe('here');
});

test('success: an address from which there was a login before the server was started is no stranger', async () => {
  const knownAddresses = [{ address: '10.0.0.1', registrar: 'ALPHA' }];
  const server = await startStubServer({ maxStrangers: 1, trustedProxies, knownAddresses });
  const known = await EppPeerClient.throughProxy(server.port, [fromTen]);
  await EppPeerClient.throughProxy(server.port, [fromEleven]);
  expect(await known.receive()).toBe('hello 10.0.0.1');
  expect(server.ended).toEqual([]);
});

test('failure: what is no TLS record after the handshake closes the connection', async () => {
  const server = await startStubServer();
  const below = connect(server.port, '127.0.0.1');
  const [own, other] = duplexPair();
  other.pipe(below).pipe(other, { end: false });
  await (await EppPeerClient.connect(0, { socket: own })).receive();
  // A client that hears the alert would close the connection itself.
  below.unpipe(other).resume();
  below.write('no record of TLS');
  await once(below, 'end');
  await vi.waitFor(() => expect(server.connections()).toBe(0));
});

test.each([
  ['unfinished ClientHello', 20_000],
  ['whole one above the limit of a handshake', 9_000],
])('failure: an %s is cut', async (_, bytes) => {
  const server = await startStubServer();
  const socket = await rawPeer(server.port);
  // A record of a ClientHello that announces 64 KB.
  const header = Buffer.from([0x16, 3, 1, 0x40, 0, 1, 0, 0xff, 0xff]);
  socket.write(Buffer.concat([header, Buffer.alloc(bytes)]));
  await once(socket.resume(), 'close');
  expect(server.connections()).toBe(0);
});

test('failure: a client with a long chain of certificates is cut', async () => {
  const server = await startStubServer();
  const { key, cert } = await selfSigned('alpha');
  const client = await EppPeerClient.connect(server.port, { key, cert: `${cert.trim()}\n`.repeat(40) });
  await client.closed();
  expect(server.peers).toEqual([]);
});

/** Each in a TLS record of its own, as long as there is a connection. */
async function writeBytes({ socket }: EppPeerClient, bytes: Buffer): Promise<void> {
  for (const byte of bytes)
    if (socket.writable) await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
}

test('failure: a stranger who sends hundreds of records is cut, before anything is made of them', async () => {
  const server = await startStubServer();
  const client = await EppPeerClient.connect(server.port);
  await writeBytes(client, encodeFrame('x'.repeat(600)));
  await client.closed();
  await vi.waitFor(() => expect(server.ended).toEqual(['too-many-pieces']));
  expect(server.handled()).toBe(0);
});

test('success: records of single bytes are read in turns, and a session may send some', async () => {
  const server = await startStubServer();
  const client = await EppPeerClient.connect(server.port);
  await client.receive();
  await writeBytes(client, encodeFrame('login'));
  expect(await client.receive()).toBe('login');
  // While a command runs, and behind it.
  client.send('wait');
  await writeBytes(client, Buffer.concat([encodeFrame('x'.repeat(900)), encodeFrame('last')]));
  await vi.waitFor(() => expect(server.handled()).toBe(2));
  server.release();
  expect([await client.receive(), await client.receive(), await client.receive()]).toEqual([
    'wait',
    'x'.repeat(900),
    'last',
  ]);
});

test('failure: a session that sends thousands of records of single bytes is cut', async () => {
  const server = await startStubServer();
  const client = await loggedIn(server.port);
  await writeBytes(client, encodeFrame('x'.repeat(50_000)));
  await client.closed();
  await vi.waitFor(() => expect(server.ended).toEqual(['too-many-pieces']));
  expect(server.handled()).toBe(1);
});

test('success: a large frame in records of a line each', async () => {
  const server = await startStubServer();
  const client = await loggedIn(server.port);
  const frame = encodeFrame('x'.repeat(200_000));
  for (let at = 0; at < frame.length; at += 65)
    await new Promise((resolve) => client.socket.write(frame.subarray(at, at + 65), resolve));
  expect(await client.receive()).toBe('200000');
});

test('success: a session that ends its connection sends its answer first, and pipelined commands are not handled', async () => {
  const server = await startStubServer();
  const client = await loggedIn(server.port);
  client.socket.write(Buffer.concat(['bye', 'not handled'].map(encodeFrame)));
  expect([await client.receive(), await client.receive()]).toEqual(['bye', undefined]);
  await client.closed();
  await vi.waitFor(() => expect(server.ended).toEqual(['ended']));
  expect([server.handled(), server.closed(), server.connections()]).toEqual([2, 1, 0]);
});

test('success: an ended connection answers its running command; an idle one closes at once', async () => {
  const server = await startStubServer();
  const [idle, busy] = [await loggedIn(server.port), await loggedIn(server.port)];
  busy.send('wait');
  await vi.waitFor(() => expect(server.handled()).toBe(3));
  server.peers[1]?.end('revoked');
  server.endAll('reset');
  await idle.closed();
  busy.send('not handled');
  server.release();
  expect([await busy.receive(), await busy.receive()]).toEqual(['wait', undefined]);
  await busy.closed();
  await vi.waitFor(() => expect(server.ended).toEqual(['reset', 'revoked']));
});

test('success: draining closes idle connections at once, busy ones after their answer, and accepts none', async () => {
  const server = await startStubServer();
  const [idle, busy] = [await loggedIn(server.port), await loggedIn(server.port)];
  const silent = await rawPeer(server.port);
  silent.resume();
  busy.send('wait');
  await vi.waitFor(() => expect(server.handled()).toBe(3));
  const drained = server.drain(10_000);
  await Promise.all([idle.closed(), once(silent, 'close')]);
  await expect(EppPeerClient.connect(server.port)).rejects.toThrow('ECONNREFUSED');
  await vi.waitFor(() => expect(server.connections()).toBe(1));
  server.release();
  expect([await busy.receive(), await busy.receive()]).toEqual(['wait', undefined]);
  await drained;
  expect(server.ended).toEqual(['drained', 'drained', 'drained']);
});

test('failure: a connection that is busy beyond the draining deadline is closed', async () => {
  const server = await startStubServer();
  const client = await loggedIn(server.port);
  client.send('wait');
  await vi.waitFor(() => expect(server.handled()).toBe(2));
  await server.drain(50);
  await client.closed();
  expect([server.ended, server.closed()]).toEqual([['drained'], 1]);
});

test('failure: a client that does not close its side is disconnected after a timeout', async () => {
  const server = await startStubServer({ timeouts: { lingerMs: 50 } });
  const client = await EppPeerClient.connect(server.port, { allowHalfOpen: true } as object);
  client.send('bye');
  await vi.waitFor(() => expect(server.ended).toEqual(['ended']));
});

test('failure: clients that reset, half-close or break the protocol leave nothing behind', async () => {
  const server = await startStubServer();
  const clients = await Promise.all(Array.from({ length: 20 }, () => EppPeerClient.connect(server.port)));
  for (const [index, client] of clients.entries()) {
    if (index % 2 === 0) client.send('wait');
    client.socket.write(encodeFrame('half').subarray(0, 1 + (index % 7)));
    if (index % 3 === 0) client.socket.end();
    // With the greeting unread, this resets the connection.
    else client.close();
  }
  const raw = await rawPeer(server.port);
  raw.end(Buffer.alloc(100_000));
  raw.resume();
  await vi.waitFor(() => {
    server.release();
    expect([server.connections(), server.closed(), server.ended.length]).toEqual([
      0,
      server.peers.length,
      21,
    ]);
  });
});

test('failure: a session that throws loses its own connection only', async () => {
  const server = await startStubServer();
  const [failing, other] = [await loggedIn(server.port), await loggedIn(server.port)];
  expect(await failing.exchange('fail')).toBeUndefined();
  expect(await other.exchange('here')).toBe('here');
  expect(server.ended).toEqual(['failed']);
});

test('failure: a session that cannot be opened ends its connection, not the process', async () => {
  const openSession = () => {
    throw new Error('no session');
  };
  const server = await startStubServer({ openSession });
  const client = await EppPeerClient.connect(server.port);
  expect(await client.receive()).toBeUndefined();
  await vi.waitFor(() => expect(server.ended).toEqual(['failed']));
});

test('failure: a port in use is reported', async () => {
  const { port } = await startStubServer();
  await expect(startStubServer({ port })).rejects.toThrow('EADDRINUSE');
});
