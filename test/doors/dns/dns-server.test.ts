import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OPCODE, TYPE } from '../../../src/doors/dns/codes.ts';
import { MessageWriter } from '../../../src/doors/dns/message-writer.ts';
import { transferAnswers, transferZone } from '../../../src/doors/dns/transfer-client.ts';
import { TransferSlots } from '../../../src/doors/dns/transfer-slots.ts';
import { TsigSigner } from '../../../src/doors/dns/tsig.ts';
import type { ZoneRecord } from '../../../src/doors/dns/zone-source.ts';
import { dnsRequest, framed, openTcp } from '../../support/dns-exchange.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { holdTime } from '../../support/held-time.ts';
import { delegation, MemoryZone } from '../../support/memory-zone.ts';

const domains = (count: number): ZoneRecord[] =>
  Array.from({ length: count }, (_, index) => delegation(`domain${index}.ee`, index)).flat();

/** More than fits into the buffers of a connection that is not read. */
const MANY = domains(40_000);

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function transfer(port: number, key = KEY): Promise<ZoneRecord[]> {
  const batches = await collect(transferZone({ host: '127.0.0.1', port, zone: 'ee', key }));
  return batches.flat();
}

const axfr = (): Buffer => framed(new TsigSigner(KEY).sign(dnsRequest(TYPE.AXFR)));

test('success: a zone of many messages arrives complete, each message signed, from one snapshot', async () => {
  const zone = new MemoryZone('ee', 7, domains(3_000));
  const server = await startMemoryServer(zone);
  const expected = zone.records;
  const received: ZoneRecord[] = [];
  for await (const batch of transferZone({ host: '127.0.0.1', port: server.port, zone: 'ee', key: KEY })) {
    received.push(...batch);
    zone.change({ added: delegation('later.ee', received.length) });
  }
  expect(received).toEqual(expected);
  const answer = { secondary: 'signer', zone: 'ee', kind: 'whole', serial: 7 };
  await vi.waitFor(() => expect(server.answers).toEqual([answer]));
  await vi.waitFor(() => expect(server.deliveries).toEqual([answer]));
  expect(zone.open).toBe(0);
});

/** Resolves with the first bytes of an answer. */
async function firstBytes(socket: Socket, request: Buffer): Promise<void> {
  socket.write(request);
  await once(socket, 'data');
}

test('failure: a transfer that a secondary has not received completely is not delivered', async () => {
  const server = await startMemoryServer(new MemoryZone('ee', 7, domains(5)));
  const resetting = await openTcp(server.port);
  await firstBytes(resetting, axfr());
  resetting.resetAndDestroy();
  await vi.waitFor(() => expect(server.ended).toHaveLength(1));
  const large = await startMemoryServer(new MemoryZone('ee', 7, domains(20_000)));
  const leaving = await openTcp(large.port);
  await firstBytes(leaving, axfr());
  leaving.destroy();
  await vi.waitFor(() => expect(large.ended).toHaveLength(1));
  expect([server.deliveries, large.deliveries]).toEqual([[], []]);
});

test('success: a transfer is delivered when the secondary asks again, or half-closes after an idle time', async () => {
  const zone = new MemoryZone('ee', 7, domains(5));
  const time = holdTime();
  const server = await startMemoryServer(zone, { timeouts: { idleMs: 10_000 }, sweepIntervalMs: 20 });
  const socket = await openTcp(server.port);
  await firstBytes(socket, axfr());
  expect(server.deliveries).toEqual([]);
  await firstBytes(socket, axfr());
  expect(server.deliveries).toHaveLength(1);
  await vi.waitFor(() => {
    time.pass(1_000);
    expect(server.deliveries).toHaveLength(2);
  });
  expect(server.ended).toEqual(['idle-timeout']);
});

test('failure: a wrong secret, an unknown key and a zone that is not ours get no record', async () => {
  const server = await startMemoryServer(new MemoryZone('ee', 7));
  await expect(transfer(server.port, { ...KEY, secret: Buffer.alloc(32) })).rejects.toThrow(
    'NOTAUTH (TSIG error 16)',
  );
  await expect(transfer(server.port, { ...KEY, name: 'other.key' })).rejects.toThrow(
    'NOTAUTH (TSIG error 17)',
  );
  await expect(transfer(server.port, { ...KEY, algorithm: 'hmac-sha512' })).rejects.toThrow('TSIG error 17');
  const foreign = collect(transferZone({ host: '127.0.0.1', port: server.port, zone: 'lv', key: KEY }));
  await expect(foreign).rejects.toThrow('REFUSED');
  expect(server.requests.map(({ result }) => result)).toEqual(['BADSIG', 'BADKEY', 'BADKEY', 'REFUSED']);
});

test('failure: a transfer that cannot be read is SERVFAIL before its first message, and a closed connection afterwards', async () => {
  const zone = new MemoryZone('ee', 7, domains(5_000));
  const server = await startMemoryServer(zone);
  zone.failure = new Error('the database is away');
  await expect(transfer(server.port)).rejects.toThrow('SERVFAIL');
  zone.failure = undefined;
  const batches = transferZone({ host: '127.0.0.1', port: server.port, zone: 'ee', key: KEY });
  await batches.next();
  zone.failure = new Error('the database is away');
  await expect(collect(batches)).rejects.toThrow('before it was complete');
  expect(zone.open).toBe(0);
  expect(server.ended).toContain('failed');
});

test('failure: a secondary that reads almost nothing is disconnected, and its snapshot ends', async () => {
  const zone = new MemoryZone('ee', 7, MANY);
  const timeouts = { progressMs: 300 };
  const server = await startMemoryServer(zone, { timeouts, sweepIntervalMs: 50, minBytesPerPeriod: 65_536 });
  const socket = await openTcp(server.port);
  socket.pause();
  socket.write(Buffer.concat(Array.from({ length: 20 }, axfr)));
  const drip = setInterval(() => socket.read(1), 100);
  onTestFinished(() => clearInterval(drip));
  await vi.waitFor(() => expect(server.ended).toEqual(['slow-reader']));
  expect(zone.open).toBe(0);
});

test('failure: connections are limited per address, and one with a transfer is never displaced', async () => {
  const zone = new MemoryZone('ee', 7, MANY);
  const server = await startMemoryServer(zone, { maxConnectionsPerAddress: 5 });
  const transferring = await openTcp(server.port);
  transferring.pause();
  transferring.write(Buffer.concat(Array.from({ length: 20 }, axfr)));
  await vi.waitFor(() => expect(zone.open).toBe(1));
  for (let count = 0; count < 40; count += 1) await openTcp(server.port);
  await vi.waitFor(() => expect(server.connections()).toBe(5));
  expect(new Set(server.ended)).toEqual(new Set(['displaced']));
  expect(transferring.destroyed).toBe(false);
  expect(zone.open).toBe(1);
});

test('failure: no more transfers run at once than allowed; the others are queued', async () => {
  const zone = new MemoryZone('ee', 7, domains(2_000));
  const server = await startMemoryServer(zone, { transfers: new TransferSlots(1) });
  let most = 0;
  const stream = zone.stream.bind(zone);
  zone.stream = async function* () {
    for await (const batch of stream()) {
      most = Math.max(most, zone.open);
      yield batch;
    }
  };
  const all = await Promise.all(Array.from({ length: 4 }, () => transfer(server.port)));
  for (const each of all) expect(each).toHaveLength(zone.records.length);
  expect(most).toBe(1);
});

test('success: while a secondary is slow, it and others get differences, and others whole zones', async () => {
  const zone = new MemoryZone('ee', 7, MANY);
  const other = { ...KEY, name: 'other.key', secondary: 'other' };
  const findKey = (name: string) => [KEY, other].find((key) => key.name === name);
  const server = await startMemoryServer(zone, { findKey, transfers: new TransferSlots(2) });
  for (const socket of await Promise.all([openTcp(server.port), openTcp(server.port)])) {
    socket.pause();
    socket.write(axfr());
  }
  await vi.waitFor(() => expect(zone.open).toBe(1));
  const { soaBefore, soaAfter } = zone.change({ added: delegation('later.ee', 1) });
  for (const key of [KEY, other])
    for (const since of [soaBefore, soaAfter]) {
      const request = { host: '127.0.0.1', port: server.port, zone: 'ee', key };
      const { value } = await transferAnswers(request, since).next();
      expect(value?.message.answers).toHaveLength(since === soaAfter ? 1 : 9);
    }
  const whole = transferZone({ host: '127.0.0.1', port: server.port, zone: 'ee', key: other });
  expect((await whole.next()).value).toBeDefined();
  expect(zone.open).toBe(2);
  await whole.return(undefined);
});

test.each([
  ['an oversized length', Buffer.of(0xff, 0xff, 0), 'oversized-request', {}],
  ['a request that does not end', Buffer.of(0, 40, 1, 2, 3), 'request-timeout', { requestMs: 100 }],
  ['a response', framed(Buffer.from('000180000000000000000000', 'hex')), 'invalid-request', {}],
  ['nothing', Buffer.alloc(0), 'idle-timeout', { idleMs: 100 }],
])('failure: a connection that sends %s is ended', async (_, bytes, reason, timeouts) => {
  const server = await startMemoryServer(new MemoryZone('ee', 7), { timeouts, sweepIntervalMs: 20 });
  const socket = await openTcp(server.port);
  socket.write(bytes);
  await vi.waitFor(() => expect(server.ended).toEqual([reason]));
});

test('success: requests that arrive together, and byte by byte, are answered in their order', async () => {
  const server = await startMemoryServer(new MemoryZone('ee', 7));
  const socket = await openTcp(server.port);
  const query = (id: number) =>
    framed(
      new MessageWriter({ id, opcode: OPCODE.QUERY, isRequest: true })
        .question({ name: 'ee', type: TYPE.SOA, class: 1 })
        .finish(),
    );
  const answers: Buffer[] = [];
  socket.on('data', (chunk) => answers.push(chunk));
  socket.write(Buffer.concat([query(1), query(2), query(3).subarray(0, 5)]));
  for (const byte of query(3).subarray(5)) {
    socket.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const length = query(1).length;
  await vi.waitFor(() => expect(Buffer.concat(answers)).toHaveLength(3 * length));
  const all = Buffer.concat(answers);
  expect([0, 1, 2].map((index) => all.readUInt16BE(index * length + 2))).toEqual([1, 2, 3]);
});

test('success: a server that stops completes transfers under way', async () => {
  const zone = new MemoryZone('ee', 7, domains(3_000));
  const server = await startMemoryServer(zone);
  const batches = transferZone({ host: '127.0.0.1', port: server.port, zone: 'ee', key: KEY });
  const { value = [] } = await batches.next();
  const drained = server.drain(10_000);
  const rest = (await collect(batches)).flat();
  await drained;
  expect([...(value ?? []), ...rest]).toHaveLength(zone.records.length);
  await expect(transfer(server.port)).rejects.toThrow('ECONNREFUSED');
});
