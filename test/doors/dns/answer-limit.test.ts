import { createSocket } from 'node:dgram';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AnswerLimit } from '../../../src/doors/dns/answer-limit.ts';
import { RCODE, TYPE } from '../../../src/doors/dns/codes.ts';
import { TsigSigner } from '../../../src/doors/dns/tsig.ts';
import { askUdp, dnsRequest } from '../../support/dns-exchange.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { MemoryZone } from '../../support/memory-zone.ts';

test('failure: a flood without signatures gets few answers and is counted; a secondary at the same address gets all of its own', async () => {
  const server = await startMemoryServer(new MemoryZone('ee', 7));
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  let answers = 0;
  socket.on('message', () => {
    answers += 1;
  });
  const started = performance.now();
  for (let count = 0; count < 150; count += 1) socket.send(dnsRequest(TYPE.SOA), server.port, '127.0.0.1');
  for (let count = 0; count < 30; count += 1) {
    const signed = new TsigSigner(KEY).sign(dnsRequest(TYPE.SOA));
    expect((await askUdp(server.port, signed)).answers).toHaveLength(1);
  }
  await vi.waitFor(() => expect(answers + server.dropped.length).toBe(150));
  const seconds = Math.ceil((performance.now() - started) / 1000);
  expect(answers).toBeLessThanOrEqual(20 * (1 + seconds));
  expect(new Set(server.dropped)).toEqual(new Set(['rate-limited']));
});

test('failure: a datagram of more than 1,232 bytes is dropped and counted; one below it is answered', async () => {
  const server = await startMemoryServer(new MemoryZone('ee', 7));
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  const signed = new TsigSigner(KEY).sign(dnsRequest(TYPE.SOA));
  socket.send(Buffer.concat([signed, Buffer.alloc(1_233 - signed.length)]), server.port, '127.0.0.1');
  await vi.waitFor(() => expect(server.dropped).toEqual(['too-large']));
  expect(server.requests).toEqual([]);
  const rest = Buffer.concat([signed, Buffer.alloc(1_232 - signed.length)]);
  expect(await askUdp(server.port, rest)).toMatchObject({ rcode: RCODE.FORMERR });
});

test('failure: no answer to a stranger is longer than its request, whatever names it compresses', async () => {
  const server = await startMemoryServer(new MemoryZone('ee', 7));
  const label = Buffer.concat([Buffer.of(63), Buffer.alloc(63, 'a')]);
  const name = Buffer.concat([label, label, label, Buffer.of(0)]);
  const header = Buffer.alloc(12);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(1, 10);
  const pointer = Buffer.of(0xc0, 12);
  const data = Buffer.concat([pointer, Buffer.alloc(8), Buffer.alloc(2), Buffer.alloc(2), Buffer.alloc(4)]);
  const request = Buffer.concat([
    header,
    name,
    Buffer.of(0, TYPE.SOA, 0, 1),
    pointer,
    Buffer.of(0, TYPE.TSIG, 0, 255, 0, 0, 0, 0, 0, data.length),
    data,
  ]);
  const answer = await askUdp(server.port, request);
  expect(answer.rcode).toBe(RCODE.NOTAUTH);
  expect(answer.bytes.length).toBeLessThanOrEqual(request.length);
});

test('success: the limit is per address, in IPv6 per network, and is renewed every second', () => {
  const limit = new AnswerLimit(2);
  const take = (address: string, now: number) => limit.take(address, now);
  expect([1, 2, 3].map(() => take('192.0.2.1', 5_000))).toEqual([true, true, false]);
  expect(take('192.0.2.2', 5_000)).toBe(true);
  expect(take('::ffff:192.0.2.1', 5_000)).toBe(false);
  const network = ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3'];
  expect(network.map((address) => take(address, 5_500))).toEqual([true, true, false]);
  expect(take('2001:db8:0:1::1', 5_500)).toBe(true);
  expect([take('192.0.2.1', 5_999), take('192.0.2.1', 6_000)]).toEqual([false, true]);
});

test('success: a hundred thousand addresses at once are counted, and few unknown ones are affected', () => {
  const limit = new AnswerLimit(20);
  const address = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  for (let number = 0; number < 100_000; number += 1) limit.take(address(number), 5_000);
  const allowed = Array.from({ length: 1_000 }, (_, index) =>
    limit.take(`192.0.${index >> 8}.${index & 255}`, 5_000),
  );
  expect(allowed.filter(Boolean).length).toBeGreaterThan(990);
});
