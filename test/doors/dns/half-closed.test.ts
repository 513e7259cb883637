import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { TYPE } from '../../../src/doors/dns/codes.ts';
import { readMessage } from '../../../src/doors/dns/message-reader.ts';
import { TransferSlots } from '../../../src/doors/dns/transfer-slots.ts';
import { TsigSigner } from '../../../src/doors/dns/tsig.ts';
import { dnsRequest, framed, openTcp } from '../../support/dns-exchange.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { holdTime } from '../../support/held-time.ts';
import { delegation, MemoryZone } from '../../support/memory-zone.ts';

const signed = (type: number): Buffer => framed(new TsigSigner(KEY).sign(dnsRequest(type)));
const manyDomains = (count: number) =>
  Array.from({ length: count }, (_, index) => delegation(`domain${index}.ee`, index)).flat();

/** Half-closes after the requests, and reads until the server closes. */
async function askAndEnd(port: number, ...requests: readonly Buffer[]): Promise<number[]> {
  const socket = await openTcp(port, { allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.end(Buffer.concat(requests));
  await once(socket, 'end');
  const counts: number[] = [];
  for (let rest = Buffer.concat(chunks); rest.length > 0; rest = rest.subarray(2 + rest.readUInt16BE(0)))
    counts.push(readMessage(rest.subarray(2, 2 + rest.readUInt16BE(0))).answers.length);
  return counts;
}

test('success: a client that half-closes after its requests gets all answers, then the end', async () => {
  const zone = new MemoryZone('ee', 7, manyDomains(3_000));
  const server = await startMemoryServer(zone);
  const [soa, ...messages] = await askAndEnd(server.port, signed(TYPE.SOA), signed(TYPE.AXFR));
  expect(soa).toBe(1);
  expect(messages.reduce((sum, count) => sum + count, 0)).toBe(zone.records.length + 1);
  expect(await askAndEnd(server.port)).toEqual([]);
  // A truncated request is not answered.
  expect(await askAndEnd(server.port, signed(TYPE.SOA).subarray(0, 20))).toEqual([]);
  await vi.waitFor(() => expect(server.ended).toEqual(Array(3).fill('closed-by-client')));
});

test('failure: a half-closed client that is queued waits no longer than the idle timeout', async () => {
  const zone = new MemoryZone('ee', 7, manyDomains(40_000));
  const time = holdTime();
  const options = { transfers: new TransferSlots(1), timeouts: { idleMs: 10_000 }, sweepIntervalMs: 20 };
  const server = await startMemoryServer(zone, options);
  const slow = await openTcp(server.port);
  slow.pause();
  slow.write(signed(TYPE.AXFR));
  await vi.waitFor(() => expect(zone.open).toBe(1));
  const waiting = await openTcp(server.port, { allowHalfOpen: true });
  waiting.resume();
  waiting.end(signed(TYPE.AXFR));
  await vi.waitFor(() => {
    time.pass(1_000);
    expect(server.ended).toEqual(['idle-timeout']);
  });
  expect(zone.open).toBe(1);
});
