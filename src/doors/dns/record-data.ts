import { isIPv4, SocketAddress } from 'node:net';
import type { DsData, SoaData, ZoneRecord } from '../../registry/zones/zone-record.ts';
import { CLASS, TYPE } from './codes.ts';
import type { Message, RawRecord } from './message-reader.ts';
import { InvalidMessage, readName } from './dns-names.ts';

/** What a writer of messages offers to the data of records. */
export type DataWriter = {
  name(name: string): void;
  number8(value: number): void;
  number16(value: number): void;
  number32(value: number): void;
  raw(bytes: Buffer): void;
};

/** Longer than any digest of a DS record; a wrong one must not fill a message. */
const MAX_DIGEST_BYTES = 64;

export function writeRecordData(writer: DataWriter, record: ZoneRecord): void {
  if (record.type === 'SOA') writeSoa(writer, record.data);
  else if (record.type === 'DS') writeDs(writer, record.data);
  else if (record.type === 'NS') writer.name(record.data);
  else writer.raw(record.type === 'A' ? ipv4Bytes(record.data) : ipv6Bytes(record.data));
}

function writeSoa(writer: DataWriter, { primary, mailbox, ...numbers }: SoaData): void {
  writer.name(primary);
  writer.name(mailbox);
  const { serial, refresh, retry, expire, minimum } = numbers;
  for (const value of [serial, refresh, retry, expire, minimum]) writer.number32(value);
}

function writeDs(writer: DataWriter, { keyTag, algorithm, digestType, digest }: DsData): void {
  const bytes = Buffer.from(digest, 'hex');
  if (bytes.length === 0 || bytes.length > MAX_DIGEST_BYTES || bytes.length * 2 !== digest.length)
    throw new InvalidMessage('a digest that is not hexadecimal');
  writer.number16(keyTag);
  writer.number8(algorithm);
  writer.number8(digestType);
  writer.raw(bytes);
}

function ipv4Bytes(address: string): Buffer {
  if (!isIPv4(address)) throw new InvalidMessage(`${address} is no IPv4 address`);
  return Buffer.from(address.split('.').map(Number));
}

function ipv6Bytes(address: string): Buffer {
  // Also checks it, and writes the last groups of ::ffff:192.0.2.1 as IPv4.
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(canonical);
  const text = dotted
    ? `${dotted[1]}${ipv4Bytes(dotted[2] ?? '')
        .toString('hex')
        .replace(/(.{4})(.{4})/, '$1:$2')}`
    : canonical;
  const [head = [], tail = []] = text.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...head, ...zeros, ...tail].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * index);
  return bytes;
}

/** Undefined for a type that the registry does not publish, such as a signature. */
export function readZoneRecord({ bytes }: Message, record: RawRecord): ZoneRecord | undefined {
  const { name, ttl, dataOffset: at, end } = record;
  if (record.class !== CLASS.IN) return undefined;
  const requireLength = (isRight: boolean) => {
    if (!isRight) throw new InvalidMessage('data of a record with a wrong length');
  };
  if (record.type === TYPE.NS) {
    const target = readName(bytes, at);
    requireLength(target.end === end);
    return { name, ttl, type: 'NS', data: target.name };
  }
  if (record.type === TYPE.A) {
    requireLength(end - at === 4);
    return { name, ttl, type: 'A', data: bytes.subarray(at, end).join('.') };
  }
  if (record.type === TYPE.AAAA) {
    requireLength(end - at === 16);
    const groups = bytes.toString('hex', at, end).replace(/(.{4})(?!$)/g, '$1:');
    return { name, ttl, type: 'AAAA', data: new SocketAddress({ address: groups, family: 'ipv6' }).address };
  }
  if (record.type === TYPE.DS) {
    requireLength(end - at > 4);
    const [keyTag, algorithm, digestType] = [
      bytes.readUInt16BE(at),
      bytes.readUInt8(at + 2),
      bytes.readUInt8(at + 3),
    ];
    return {
      name,
      ttl,
      type: 'DS',
      data: { keyTag, algorithm, digestType, digest: bytes.toString('hex', at + 4, end).toUpperCase() },
    };
  }
  if (record.type !== TYPE.SOA) return undefined;
  const primary = readName(bytes, at);
  const mailbox = readName(bytes, primary.end);
  requireLength(mailbox.end + 20 === end);
  const number = (index: number) => bytes.readUInt32BE(mailbox.end + 4 * index);
  return {
    name,
    ttl,
    type: 'SOA',
    data: {
      primary: primary.name,
      mailbox: mailbox.name,
      serial: number(0),
      refresh: number(1),
      retry: number(2),
      expire: number(3),
      minimum: number(4),
    },
  };
}
