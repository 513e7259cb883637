import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { CLASS, OPCODE, TSIG_ERROR, TYPE } from '../../../src/doors/dns/codes.ts';
import { type Message, readMessage } from '../../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../../src/doors/dns/message-writer.ts';
import { type TsigKey, TsigSigner, verifyTsig } from '../../../src/doors/dns/tsig.ts';
import { appendTsig, tsigOf } from '../../../src/doors/dns/tsig-record.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { MemoryZone } from '../../support/memory-zone.ts';

const NOW = Date.UTC(2026, 10, 16, 12);
const query = (type: number = TYPE.SOA, name = 'ee', opcode: number = OPCODE.QUERY): Buffer =>
  new MessageWriter({ id: 99, opcode, isRequest: true }).question({ name, type, class: CLASS.IN }).finish();

async function exchange(port: number, bytes: Buffer): Promise<Message> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  socket.send(bytes, port, '127.0.0.1');
  const [answer] = (await once(socket, 'message')) as [Buffer];
  return readMessage(answer);
}

async function ask(message: (now: () => number) => { bytes: Buffer; mac?: Buffer | undefined }) {
  const server = await startMemoryServer(new MemoryZone('ee', 7), { now: () => NOW });
  const { bytes, mac } = message(() => NOW);
  const answer = await exchange(server.port, bytes);
  const tsig = tsigOf(answer);
  const outcome =
    tsig && tsig.mac.length > 0 && mac
      ? verifyTsig(answer, tsig, KEY, tsig.timeSigned * 1000, { prior: mac })
      : 'unsigned';
  return { answer, tsig, outcome, results: server.requests.map(({ result }) => result) };
}

function signed(key: TsigKey = KEY, at = NOW, bytes = query()) {
  const signer = new TsigSigner(key, undefined, () => at);
  return { bytes: signer.sign(bytes), mac: signer.mac };
}

test.each([
  ['now', 0],
  ['at the end of the fudge, a clock behind ours', -300],
  ['at the end of the fudge, a clock ahead of ours', 300],
])('success: a request signed %s is answered, and the answer is signed', async (_, seconds) => {
  const { answer, outcome } = await ask(() => signed(KEY, NOW + seconds * 1000));
  expect([answer.rcode, answer.answers.length, outcome]).toEqual([0, 1, 'valid']);
});

test('success: HMAC-SHA512 is accepted', async () => {
  const key = { ...KEY, algorithm: 'hmac-sha512' as const };
  const server = await startMemoryServer(new MemoryZone('ee', 7), { findKey: () => key });
  const { bytes, mac } = signed(key, Date.now());
  const answer = await exchange(server.port, bytes);
  const tsig = tsigOf(answer);
  expect(tsig && verifyTsig(answer, tsig, key, Date.now(), { prior: mac ?? Buffer.alloc(0) })).toBe('valid');
  expect(tsig?.mac).toHaveLength(64);
});

test.each([-301, 301, -86_400])(
  'failure: a request of %i seconds from now is BADTIME, with our time, signed',
  async (seconds) => {
    const { answer, tsig, outcome, results } = await ask(() => signed(KEY, NOW + seconds * 1000));
    expect([answer.rcode, tsig?.error, outcome]).toEqual([9, TSIG_ERROR.BADTIME, 'valid']);
    expect(tsig?.other.readUIntBE(0, 6)).toBe(NOW / 1000);
    expect(tsig?.timeSigned).toBe(NOW / 1000 + seconds);
    expect([answer.answers.length, results]).toEqual([0, ['BADTIME']]);
  },
);

/** As a secondary sends that is configured with this fudge. */
function signedWithFudge(fudge: number, seconds: number) {
  const signer = new TsigSigner(KEY);
  return { bytes: signer.sign(query(), { timeSigned: NOW / 1000 + seconds, fudge }), mac: signer.mac };
}

test.each([
  ['of 600 seconds, 300 seconds from now, is answered', 600, -300, 0, ['NOERROR']],
  ['of 600 seconds, 301 seconds from now, is BADTIME', 600, -301, 9, ['BADTIME']],
  ['of 18 hours, 301 seconds ahead of us, is BADTIME', 65_535, 301, 9, ['BADTIME']],
  ['of 10 seconds, 10 seconds from now, is answered', 10, -10, 0, ['NOERROR']],
  ['of 10 seconds, 11 seconds from now, is BADTIME', 10, -11, 9, ['BADTIME']],
])('failure: a fudge beyond ours does not count: one %s', async (_, fudge, seconds, rcode, expected) => {
  const { answer, results } = await ask(() => signedWithFudge(fudge, seconds));
  expect([answer.rcode, results]).toEqual([rcode, expected]);
});

test('failure: a changed byte of the question is BADSIG, and that answer is not signed', async () => {
  const { answer, tsig, outcome, results } = await ask(() => {
    const { bytes } = signed();
    bytes.writeUInt16BE(TYPE.NS, bytes.indexOf(Buffer.from([0, TYPE.SOA, 0, 1]), 12));
    return { bytes };
  });
  expect([answer.rcode, tsig?.error, outcome]).toEqual([9, TSIG_ERROR.BADSIG, 'unsigned']);
  expect(results).toEqual(['BADSIG']);
});

test('success: the id may be changed in transit, since the signature is over the original one', async () => {
  const { answer } = await ask(() => {
    const { bytes } = signed();
    bytes.writeUInt16BE(1234, 0);
    return { bytes };
  });
  expect([answer.id, answer.rcode]).toEqual([1234, 0]);
});

/** The same signature, of so many bytes only. */
function withMac(length: number): { bytes: Buffer } {
  const { bytes } = signed();
  const tsig = tsigOf(readMessage(bytes));
  if (!tsig) throw new Error('it is not signed');
  return {
    bytes: appendTsig(query(), {
      ...tsig,
      mac: Buffer.concat([tsig.mac, Buffer.alloc(9)]).subarray(0, length),
    }),
  };
}

test.each([
  ['the first half is BADTRUNC', 16, 9, 'BADTRUNC'],
  ['less than half is not a signature', 15, 1, 'FORMERR'],
  ['zero bytes are not a signature', 0, 1, 'FORMERR'],
  ['more than the full length is not a signature', 33, 1, 'FORMERR'],
])('failure: of a signature %s', async (_, length, rcode, result) => {
  const { answer, results } = await ask(() => withMac(length));
  expect([answer.rcode, results]).toEqual([rcode, [result]]);
});

test('failure: two signatures, and a record behind the signature, are malformed', async () => {
  const twice = await ask(() => ({ bytes: new TsigSigner(KEY).sign(signed().bytes) }));
  expect(twice.answer.rcode).toBe(1);
  const behind = await ask(() => {
    const { bytes } = signed();
    const more = Buffer.concat([bytes, Buffer.from([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0])]);
    more.writeUInt16BE(2, 10);
    return { bytes: more };
  });
  expect(behind.answer.rcode).toBe(1);
});

test.each([
  ['another opcode', query(TYPE.SOA, 'ee', OPCODE.NOTIFY), 5],
  ['IXFR without a serial', query(TYPE.IXFR), 1],
  ['another name', query(TYPE.SOA, 'sub.ee'), 5],
])('failure: %s is answered with an error', async (_, bytes, rcode) => {
  const { answer } = await ask(() => signed(KEY, NOW, bytes));
  expect([answer.rcode, answer.answers.length]).toEqual([rcode, 0]);
});

test('failure: AXFR over UDP is answered with the flag to ask over TCP', async () => {
  const { answer } = await ask(() => signed(KEY, NOW, query(TYPE.AXFR)));
  expect([answer.rcode, answer.isTruncated, answer.answers.length]).toEqual([0, true, 0]);
});

test('failure: responses and fragments of a header are not answered, malformed requests with FORMERR only', async () => {
  const server = await startMemoryServer(new MemoryZone('ee', 7));
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  const response = query();
  response.writeUInt8(0x80, 2);
  for (const bytes of [response, query().subarray(0, 11), Buffer.alloc(0)])
    socket.send(bytes, server.port, '127.0.0.1');
  const loop = Buffer.concat([query().subarray(0, 12), Buffer.from([0xc0, 12, 0, 6, 0, 1])]);
  socket.send(loop, server.port, '127.0.0.1');
  const [answer] = (await once(socket, 'message')) as [Buffer];
  expect(answer.toString('hex')).toBe('006380010000000000000000');
  expect(server.requests.map(({ result }) => result)).toEqual(['dropped', 'dropped', 'dropped', 'FORMERR']);
});
