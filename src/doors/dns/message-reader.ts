import { TYPE } from './codes.ts';
import { InvalidMessage, readName } from './names.ts';

export const HEADER_BYTES = 12;
const MIN_RECORD_BYTES = 11;

export type Question = {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** The name as it was received: clients that vary its case expect it back. */
  readonly spelling?: Buffer;
};
/** A record whose data is not read yet. */
export type RawRecord = {
  readonly offset: number;
  readonly name: string;
  readonly type: number;
  readonly class: number;
  readonly ttl: number;
  readonly dataOffset: number;
  readonly end: number;
};
export type Header = {
  readonly id: number;
  readonly isResponse: boolean;
  readonly opcode: number;
  readonly isTruncated: boolean;
  readonly isRecursionDesired: boolean;
  readonly rcode: number;
};
export type Message = Header & {
  readonly bytes: Buffer;
  readonly questions: readonly Question[];
  readonly answers: readonly RawRecord[];
  readonly authority: readonly RawRecord[];
  readonly additional: readonly RawRecord[];
};

/** Undefined if the bytes are no header. */
export function readHeader(bytes: Buffer): Header | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const flags = bytes.readUInt16BE(2);
  return {
    id: bytes.readUInt16BE(0),
    isResponse: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 0xf,
    isTruncated: (flags & 0x0200) !== 0,
    isRecursionDesired: (flags & 0x0100) !== 0,
    rcode: flags & 0xf,
  };
}

/** Throws InvalidMessage. What it takes follows the size of the message, not the numbers in its header. */
export function readMessage(bytes: Buffer): Message {
  const header = readHeader(bytes);
  if (!header) throw new InvalidMessage('a message without a header');
  let at = HEADER_BYTES;
  const questions = Array.from({ length: countAt(bytes, 4, 5) }, () => {
    const { name, end, isCompressed } = readName(bytes, at);
    requireBytes(bytes, end + 4);
    const spelling = isCompressed ? {} : { spelling: bytes.subarray(at, end) };
    at = end + 4;
    return { name, type: bytes.readUInt16BE(end), class: bytes.readUInt16BE(end + 2), ...spelling };
  });
  const section = (count: number) =>
    Array.from({ length: count }, () => {
      const record = readRecord(bytes, at);
      at = record.end;
      return record;
    });
  const answers = section(countAt(bytes, 6, MIN_RECORD_BYTES));
  const authority = section(countAt(bytes, 8, MIN_RECORD_BYTES));
  const additional = section(countAt(bytes, 10, MIN_RECORD_BYTES));
  if (at !== bytes.length) throw new InvalidMessage('bytes after the last record');
  return { ...header, bytes, questions, answers, authority, additional };
}

function countAt(bytes: Buffer, offset: number, leastBytes: number): number {
  const count = bytes.readUInt16BE(offset);
  if (count * leastBytes > bytes.length) throw new InvalidMessage('more records than there are bytes for');
  return count;
}

function readRecord(bytes: Buffer, offset: number): RawRecord {
  const { name, end: at } = readName(bytes, offset);
  requireBytes(bytes, at + 10);
  const dataOffset = at + 10;
  const end = dataOffset + bytes.readUInt16BE(at + 8);
  requireBytes(bytes, end);
  const [type, ttl] = [bytes.readUInt16BE(at), bytes.readUInt32BE(at + 4)];
  return { offset, name, type, class: bytes.readUInt16BE(at + 2), ttl, dataOffset, end };
}

function requireBytes(bytes: Buffer, end: number): void {
  if (end > bytes.length) throw new InvalidMessage('a record beyond the end of the message');
}

export type Edns = {
  /** Of UDP answers that the client accepts. */
  readonly bytes: number;
  readonly version: number;
  readonly isDnssecOk: boolean;
};

/** EDNS of the client (RFC 6891); undefined without it. */
export function ednsOf({ additional }: Pick<Message, 'additional'>): Edns | undefined {
  const option = additional.find(({ type }) => type === TYPE.OPT);
  if (!option) return undefined;
  const { ttl } = option;
  return {
    ...{ bytes: Math.max(512, option.class), version: (ttl >> 16) & 0xff },
    isDnssecOk: (ttl & 0x8000) !== 0,
  };
}

/** RFC 6891, 6.1.1. */
export function requireOneOpt({ additional }: Pick<Message, 'additional'>): void {
  const options = additional.filter(({ type }) => type === TYPE.OPT);
  if (options.length > 1 || options.some(({ name }) => name !== ''))
    throw new InvalidMessage('not one OPT record of the root');
}
