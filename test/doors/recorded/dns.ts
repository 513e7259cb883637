import { setTimeout } from 'node:timers/promises';
import { CLASS, OPCODE, rcodeName, TSIG_ERROR, TYPE, typeName } from '../../../src/doors/dns/codes.ts';
import { type Message, type RawRecord, readMessage } from '../../../src/doors/dns/message-reader.ts';
import { MessageWriter } from '../../../src/doors/dns/message-writer.ts';
import { readZoneRecord } from '../../../src/doors/dns/record-data.ts';
import { transferZone } from '../../../src/doors/dns/transfer-client.ts';
import { type TsigKey, TsigSigner } from '../../../src/doors/dns/tsig.ts';
import { appendTsig, tsigOf } from '../../../src/doors/dns/tsig-record.ts';
import { zoneFileLine } from '../../../src/registry/zones/zone-record.ts';
import { askTcp, askUdp } from '../../support/dns-exchange.ts';
import type { Recording } from './recording.ts';

type Question = {
  readonly name?: string;
  readonly type?: number;
  readonly class?: number;
  readonly opcode?: number;
};

function requestFor({
  name = 'ee',
  type = TYPE.SOA,
  class: kind = CLASS.IN,
  opcode = OPCODE.QUERY,
}: Question): Buffer {
  return new MessageWriter({ id: 4_711, opcode, isRequest: true })
    .question({ name, type, class: kind })
    .finish();
}

/** The serial of a zone follows the clock of the machine. */
const withoutSerial = (line: string): string => line.replace(/( IN SOA \S+ \S+) \d+/, '$1 <serial>');

const written = (message: Message, record: RawRecord): string => {
  const known = readZoneRecord(message, record);
  return known
    ? withoutSerial(zoneFileLine(known))
    : `${record.name}. ${record.ttl} ${typeName(record.type)} (${record.end - record.dataOffset} bytes)`;
};

function linesOf(message: Message): string[] {
  const { id, rcode, isTruncated, isRecursionDesired, questions, answers, authority, additional } = message;
  const tsig = tsigOf(message);
  const error = Object.entries(TSIG_ERROR).find(([, number]) => number === tsig?.error)?.[0];
  const flags = message.bytes.readUInt16BE(2).toString(16).padStart(4, '0');
  return [
    `id ${id} ${rcodeName(rcode)} flags ${flags}${isTruncated ? ' truncated' : ''}${isRecursionDesired ? ' rd' : ''}`,
    ...questions.map(({ name, type, class: kind }) => `question ${name}. ${kind} ${typeName(type)}`),
    ...answers.map((record) => `answer ${written(message, record)}`),
    ...authority.map((record) => `authority ${written(message, record)}`),
    ...additional
      .filter(({ type }) => type !== TYPE.TSIG)
      .map((record) => `additional ${written(message, record)}`),
    ...(tsig
      ? [
          `tsig ${tsig.keyName} ${tsig.algorithm} error ${error}, ${tsig.mac.length} bytes, ${tsig.other.length} more`,
        ]
      : []),
  ];
}

/** Waits until these names are published, and records the zone. */
async function recordZone(
  recording: Recording,
  zone: { readonly port: number; readonly key: TsigKey },
  names: readonly string[],
): Promise<void> {
  for (;;) {
    const lines: string[] = [];
    for await (const batch of transferZone({ host: '127.0.0.1', zone: 'ee', ...zone }))
      lines.push(...batch.map(zoneFileLine));
    if (names.every((name) => lines.some((line) => line.startsWith(`${name}. `)))) {
      recording.add(['### tcp, signed: ee. AXFR', ...lines.map(withoutSerial)]);
      return;
    }
    await setTimeout(20);
  }
}

export async function recordDns(
  recording: Recording,
  { port, key, names }: { readonly port: number; readonly key: TsigKey; readonly names: readonly string[] },
): Promise<void> {
  await recordZone(recording, { port, key }, names);
  const ask = async (title: string, bytes: Buffer) =>
    recording.add([`### tcp, ${title}`, ...linesOf(await askTcp(port, bytes))]);
  // A second over UDP has few answers to unsigned requests.
  const askDatagram = async (title: string, bytes: Buffer) =>
    recording.add([`### udp, ${title}`, ...linesOf(await askUdp(port, bytes))]);
  const questions: readonly (readonly [string, Question])[] = [
    ['ee. SOA', {}],
    ['EE. SOA', { name: 'EE' }],
    ['ee. NS', { type: TYPE.NS }],
    ['ee. A', { type: TYPE.A }],
    ['firm.ee. NS', { name: 'firm.ee', type: TYPE.NS }],
    ['com.ee. SOA', { name: 'com.ee' }],
    ['lv. SOA', { name: 'lv' }],
    ['lv. AXFR', { name: 'lv', type: TYPE.AXFR }],
    ['ee. SOA, class 3', { class: 3 }],
    ['ee. SOA, NOTIFY', { opcode: OPCODE.NOTIFY }],
    ['ee. SOA, opcode 5', { opcode: 5 }],
  ];
  for (const [title, question] of questions) {
    await ask(`unsigned: ${title}`, requestFor(question));
    await ask(`signed: ${title}`, new TsigSigner(key).sign(requestFor(question)));
  }
  for (const type of [TYPE.SOA, TYPE.NS, TYPE.AXFR]) {
    const request = requestFor({ type });
    await askDatagram(`unsigned: ee. ${typeName(type)}`, request);
    await askDatagram(`signed: ee. ${typeName(type)}`, new TsigSigner(key).sign(request));
  }
  const once = new TsigSigner(key).sign(requestFor({ type: TYPE.AXFR }));
  await askTcp(port, once);
  recording.add(['### tcp, signed, sent again: ee. AXFR', ...linesOf(await askTcp(port, once))]);
  const now = Math.floor(Date.now() / 1000);
  const soa = requestFor({});
  const signed = new TsigSigner(key).sign(soa);
  const tsig = tsigOf(readMessage(signed));
  if (!tsig) throw new Error('the request is not signed');
  const withMac = (mac: Buffer) => appendTsig(soa, { ...tsig, mac });
  const wrong: readonly (readonly [string, Buffer])[] = [
    ['another secret', new TsigSigner({ ...key, secret: Buffer.alloc(32) }).sign(soa)],
    ['an unknown key', new TsigSigner({ ...key, name: 'other-key' }).sign(soa)],
    ['another algorithm', new TsigSigner({ ...key, algorithm: 'hmac-sha512' }).sign(soa)],
    ['an hour ago', new TsigSigner(key).sign(soa, { timeSigned: now - 3_600 })],
    ['half a signature', withMac(tsig.mac.subarray(0, 16))],
    ['too little of a signature', withMac(tsig.mac.subarray(0, 15))],
    ['two signatures', new TsigSigner(key).sign(signed)],
    ['no question', new MessageWriter({ id: 4_711, opcode: OPCODE.QUERY, isRequest: true }).finish()],
    ['half a message', soa.subarray(0, soa.length - 2)],
  ];
  for (const [title, bytes] of wrong) await ask(`${title}: ee. SOA`, bytes);
}
