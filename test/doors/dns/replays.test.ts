import { expect, test } from 'vitest';
import { RCODE, TYPE } from '../../../src/doors/dns/codes.ts';
import { SeenSignatures } from '../../../src/doors/dns/seen-signatures.ts';
import { TsigSigner, verifyTsig } from '../../../src/doors/dns/tsig.ts';
import { tsigOf } from '../../../src/doors/dns/tsig-record.ts';
import { askTcp, askUdp, dnsRequest } from '../../support/dns-exchange.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { delegation, MemoryZone } from '../../support/memory-zone.ts';

function sign(bytes: Buffer, at = Date.now()) {
  const signer = new TsigSigner(KEY, undefined, () => at);
  return { bytes: signer.sign(bytes), mac: signer.mac ?? Buffer.alloc(0) };
}

test.each(['AXFR', 'IXFR'] as const)(
  'failure: %s that is sent again over TCP is refused, signed, and does not count as use of the key',
  async (type) => {
    const zone = new MemoryZone('ee', 7);
    const { soaBefore } = zone.change({ added: delegation('new.ee', 1) });
    const server = await startMemoryServer(zone);
    const { bytes, mac } = sign(dnsRequest(TYPE[type], type === 'IXFR' ? soaBefore : undefined));
    expect(await askTcp(server.port, bytes)).toMatchObject({ rcode: RCODE.NOERROR });
    // The id is not signed: with another id it is still the same request.
    bytes.writeUInt16BE(54_321, 0);
    const replayed = await askTcp(server.port, bytes);
    expect([replayed.id, replayed.rcode, replayed.answers.length]).toEqual([54_321, RCODE.REFUSED, 0]);
    const tsig = tsigOf(replayed);
    expect(tsig && verifyTsig(replayed, tsig, KEY, Date.now(), { prior: mac })).toBe('valid');
    expect(server.requests).toMatchObject([
      { type, result: 'NOERROR', secondary: 'signer' },
      { type, zone: 'ee', key: KEY.name, result: 'replayed' },
    ]);
    expect(server.requests[1]).not.toHaveProperty('secondary');
    expect(server.answers).toHaveLength(1);
  },
);

test('success: the same bytes are answered over UDP as often as they come, and SOA over TCP too', async () => {
  const zone = new MemoryZone('ee', 7);
  const server = await startMemoryServer(zone);
  const ixfr = sign(dnsRequest(TYPE.IXFR, await zone.soa())).bytes;
  for (let count = 0; count < 3; count += 1)
    expect((await askUdp(server.port, ixfr)).answers).toHaveLength(1);
  expect((await askTcp(server.port, ixfr)).answers).toHaveLength(1);
  const soa = sign(dnsRequest(TYPE.SOA)).bytes;
  for (let count = 0; count < 2; count += 1) expect((await askTcp(server.port, soa)).answers).toHaveLength(1);
});

test('failure: another server with the same store refuses the replay too', async () => {
  const seenSignatures = new SeenSignatures();
  const zone = new MemoryZone('ee', 7);
  const [one, other] = await Promise.all(
    Array.from({ length: 2 }, () => startMemoryServer(zone, { seenSignatures })),
  );
  const { bytes } = sign(dnsRequest(TYPE.AXFR));
  expect(await askTcp(one?.port ?? 0, bytes)).toMatchObject({ rcode: RCODE.NOERROR });
  expect(await askTcp(other?.port ?? 0, bytes)).toMatchObject({ rcode: RCODE.REFUSED });
});

const NOW = Date.UTC(2026, 10, 16, 12);
const tsigAt = (number: number, { seconds = 0, fudge = 300 } = {}) => ({
  keyName: '',
  algorithm: '',
  originalId: 0,
  error: 0,
  other: Buffer.alloc(0),
  offset: 0,
  timeSigned: NOW / 1000 + seconds,
  fudge,
  mac: Buffer.from(String(number)),
});

test('success: signatures are dropped when they are too old to be valid, by the shorter of both windows', () => {
  const seen = new SeenSignatures();
  const later = (seconds: number) => NOW + seconds * 1000;
  expect(seen.add('a', tsigAt(1, { fudge: 10 }), NOW)).toBe(true);
  expect(seen.add('b', tsigAt(2, { seconds: 200, fudge: 65_535 }), NOW)).toBe(true);
  expect(seen.add('a', tsigAt(1, { fudge: 10 }), later(10))).toBe(false);
  expect(seen.size).toBe(2);
  seen.add('c', tsigAt(3, { seconds: 500 }), later(500));
  expect(seen.size).toBe(2);
  expect(seen.add('b', tsigAt(2, { seconds: 200, fudge: 65_535 }), later(500))).toBe(false);
  seen.add('c', tsigAt(4, { seconds: 501 }), later(501));
  expect(seen.size).toBe(2);
});

test('failure: above the limit the oldest one of the same key goes, and none of another', () => {
  const seen = new SeenSignatures(3);
  seen.add('other', tsigAt(0), NOW);
  for (const number of [1, 2, 3, 4]) expect(seen.add('busy', tsigAt(number), NOW)).toBe(true);
  expect(seen.size).toBe(4);
  expect(seen.add('other', tsigAt(0), NOW)).toBe(false);
  expect(seen.add('busy', tsigAt(2), NOW)).toBe(false);
  expect(seen.add('busy', tsigAt(1), NOW)).toBe(true);
});
