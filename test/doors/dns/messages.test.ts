import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPCODE } from '../../../src/doors/dns/codes.ts';
import { readHeader, readMessage } from '../../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../../src/doors/dns/message-writer.ts';
import { encodeName, InvalidMessage, readName } from '../../../src/doors/dns/dns-names.ts';
import { readZoneRecord } from '../../../src/doors/dns/record-data.ts';
import { refusal } from '../../../src/doors/dns/dns-request.ts';
import { presentSerial, transferMessages } from '../../../src/doors/dns/zone-transfer.ts';
import { tsigOf } from '../../../src/doors/dns/tsig-record.ts';
import type { ZoneRecord } from '../../../src/doors/dns/zone-source.ts';

const label = fc.stringMatching(/^[a-z0-9_-]{1,20}$/);
const name = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));
const number32 = fc.integer({ min: 0, max: 0xffffffff });
const byte = fc.integer({ min: 0, max: 255 });
const soaData = fc.record({
  primary: name,
  mailbox: name,
  serial: number32,
  refresh: number32,
  retry: number32,
  expire: number32,
  minimum: number32,
});
const dsData = fc.record({
  keyTag: fc.integer({ min: 0, max: 0xffff }),
  algorithm: byte,
  digestType: byte,
  digest: fc
    .uint8Array({ minLength: 1, maxLength: 64 })
    .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase()),
});
const record: fc.Arbitrary<ZoneRecord> = fc.oneof(
  fc.record({ name, ttl: number32, type: fc.constant('SOA' as const), data: soaData }),
  fc.record({ name, ttl: number32, type: fc.constant('NS' as const), data: name }),
  fc.record({ name, ttl: number32, type: fc.constant('DS' as const), data: dsData }),
  fc.record({ name, ttl: number32, type: fc.constant('A' as const), data: fc.ipV4() }),
  fc.record({ name, ttl: number32, type: fc.constant('AAAA' as const), data: fc.ipV6() }),
);
const plain = (each: ZoneRecord | undefined) =>
  each?.type === 'AAAA' ? { ...each, data: new URL(`http://[${each.data}]`).hostname } : each;

test('property: encoded messages are decoded unchanged, with compression and as many records as fit', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 60 }), fc.nat(0xffff), (records, id) => {
      const writer = new MessageWriter({ id, opcode: OPCODE.QUERY });
      for (const each of records) expect(writer.answer(each)).toBe(true);
      const bytes = writer.edns().finish();
      const message = readMessage(bytes);
      expect(message).toMatchObject({ id, isResponse: true, opcode: OPCODE.QUERY });
      const read = message.answers.map((each) => plain(readZoneRecord(message, each)));
      expect(read).toEqual(records.map(plain));
    }),
  );
});

test('success: a message takes records up to its limit, below 64 KiB, and each name once within its first 16 KiB', () => {
  const writer = new MessageWriter({ id: 1, opcode: OPCODE.QUERY });
  let count = 0;
  while (writer.answer({ name: `d${count}.ee`, type: 'NS', ttl: 1, data: 'ns.hosting.example' })) count += 1;
  const bytes = writer.finish();
  expect(bytes.length).toBeGreaterThan(63_000);
  expect(bytes.length).toBeLessThanOrEqual(65_535 - 512);
  expect(readMessage(bytes).answers).toHaveLength(count);
  expect(bytes.toString('latin1').split('hosting')).toHaveLength(2);
});

test('success: a refusal, and an answer of one SOA, take little memory, also with the longest names', async () => {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
  const question = { name: longest, type: 6, class: 1 };
  const header = { id: 7, opcode: OPCODE.QUERY, isRequest: true };
  const request = readMessage(new MessageWriter(header).question(question).edns().finish());
  const refused = refusal(request, 'REFUSED');
  const data = { primary: `x${longest.slice(1)}`, mailbox: `y${longest.slice(1)}`, serial: 1 };
  const times = { refresh: 1, retry: 1, expire: 1, minimum: 1 };
  const soa = { name: `z${longest.slice(1)}`, type: 'SOA', ttl: 1, data: { ...data, ...times } } as const;
  let answered: Buffer | undefined;
  for await (const message of transferMessages(request, question, presentSerial(soa))) answered ??= message;
  expect(answered && readMessage(answered).answers).toHaveLength(1);
  expect(readMessage(refused)).toMatchObject({ rcode: 5, questions: [{ name: longest }] });
  for (const bytes of [refused, answered]) expect(bytes?.buffer.byteLength).toBeLessThanOrEqual(2_048);
});

test('property: random bytes after a header, and any truncated or changed message, are decoded or refused', () => {
  const whole = new MessageWriter({ id: 7, opcode: OPCODE.QUERY }).question({
    name: 'ee',
    type: 6,
    class: 1,
  });
  whole.answer({ name: 'ee', type: 'NS', ttl: 5, data: 'ns.ee' });
  const valid = whole.edns().finish();
  const read = (bytes: Buffer) => {
    try {
      const message = readMessage(bytes);
      tsigOf(message);
      for (const each of message.answers) readZoneRecord(message, each);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidMessage);
    }
  };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), fc.nat(), byte, (random, at, value) => {
      read(Buffer.concat([Buffer.from([0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 1]), random]));
      read(valid.subarray(0, at % valid.length));
      const changed = Buffer.from(valid);
      changed[at % changed.length] = value;
      read(changed);
    }),
    { numRuns: process.env.TORTURE ? 2_000 : 1_000 },
  );
});

test.each([
  ['a pointer to itself', [0xc0, 0]],
  ['a pointer forwards', [0xc0, 4, 0, 0, 0]],
  ['a pointer after a label, to that label', [1, 0x61, 0xc0, 0]],
  ['a pointer without its second byte', [0xc0]],
  ['a label beyond the end', [5, 0x61]],
  ['a label of a reserved kind', [0x41, 0x61, 0]],
  ['no end', [1, 0x61]],
])('failure: %s is not a name', (_, bytes) => {
  expect(() => readName(Buffer.from(bytes), 0)).toThrow(InvalidMessage);
});

test('failure: two names that point at each other, a chain above 255 bytes, and a long label are refused', () => {
  const loop = Buffer.from([1, 0x61, 0xc0, 4, 1, 0x62, 0xc0, 0]);
  expect(() => readName(loop, 4)).not.toThrow(RangeError);
  expect(() => readName(loop, 0)).toThrow(InvalidMessage);
  const chain = Buffer.concat([
    Buffer.of(63),
    Buffer.alloc(63, 0x61),
    Buffer.of(0),
    ...[0, 65, 131, 197].map((target) =>
      Buffer.concat([Buffer.of(63), Buffer.alloc(63, 0x62), Buffer.of(0xc0, target)]),
    ),
  ]);
  expect(readName(chain, 131).name).toHaveLength(191);
  expect(() => readName(chain, 263)).toThrow(/255/);
  for (const wrong of [`${'a'.repeat(64)}.ee`, Array(130).fill('a').join('.'), 'a..ee'])
    expect(() => encodeName(wrong)).toThrow(InvalidMessage);
});

test('success: bytes that a host name does not allow are escaped and kept; names are compared in lower case', () => {
  const bytes = Buffer.from([3, 0x61, 0x2e, 0xff, 2, 0x45, 0x45, 0]);
  const { name: read } = readName(bytes, 0);
  expect(read).toBe('a\\046\\255.ee');
  expect(encodeName(read)).toEqual(Buffer.from([3, 0x61, 0x2e, 0xff, 2, 0x65, 0x65, 0]));
  expect(encodeName('host\\.master.ee')).toEqual(Buffer.from('\x0bhost.master\x02ee\x00', 'latin1'));
});

test('failure: bytes after the last record, and counts that the bytes cannot hold, are refused', () => {
  const valid = new MessageWriter({ id: 7, opcode: OPCODE.QUERY })
    .question({ name: 'ee', type: 6, class: 1 })
    .finish();
  expect(() => readMessage(Buffer.concat([valid, Buffer.of(0)]))).toThrow(InvalidMessage);
  const counted = Buffer.from(valid);
  counted.writeUInt16BE(0xffff, 6);
  expect(() => readMessage(counted)).toThrow(InvalidMessage);
  expect(readHeader(valid.subarray(0, 11))).toBeUndefined();
});

/** A name, and after it as many pointers, each to the one before. */
function chainOf(pointers: number): Buffer {
  const chain = Array.from({ length: pointers }, (_, index) => {
    const target = index === 0 ? 0 : 3 + 2 * (index - 1);
    return Buffer.of(0xc0 | (target >> 8), target & 0xff);
  });
  return Buffer.concat([Buffer.of(1, 0x61, 0), ...chain]);
}

test('success: a name by up to 16 pointers', () => {
  expect(readName(chainOf(16), 3 + 2 * 15)).toEqual({ name: 'a', end: 3 + 2 * 16, isCompressed: true });
});

test('failure: a name by more pointers is refused, and none behind its limit is followed', () => {
  expect(() => readName(chainOf(17), 3 + 2 * 16)).toThrow(/pointers/);
  const followed: number[] = [];
  const counted = new Proxy(chainOf(8_000), {
    get: (bytes, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) followed.push(Number(key));
      return Reflect.get(bytes, key);
    },
  });
  expect(() => readName(counted, 3 + 2 * 7_999)).toThrow(/pointers/);
  expect(followed.length).toBeLessThan(50);
});

test('failure: more records than a request may have are refused before their names are read', () => {
  const writer = new MessageWriter({ id: 7, opcode: OPCODE.QUERY, isRequest: true });
  for (let count = 0; count < 12; count += 1) writer.question({ name: 'ee', type: 6, class: 1 });
  const bytes = writer.finish();
  expect(readMessage(bytes, 12).questions).toHaveLength(12);
  expect(() => readMessage(bytes, 11)).toThrow(/too many records/);
});
