import { TYPE } from './codes.ts';
import { InvalidMessage, readName } from './dns-names.ts';

export const HEADER_BYTES = 12;
const MIN_QUESTION_BYTES = 5;
const MIN_RECORD_BYTES = 11;
/** A request has a question, the SOA of IXFR, EDNS and a signature. */
export const MAX_REQUEST_RECORDS = 12;

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

/**
 * Throws InvalidMessage. What it takes follows the size of the message, not the numbers in its header, which are judged
 * before anything else.
 */
export function readMessage(bytes: Buffer, maxRecords = Number.POSITIVE_INFINITY): Message {
  const header = readHeader(bytes);
  if (!header) throw new InvalidMessage('a message without a header');
  const counts = readCounts(bytes, maxRecords);
  let at = HEADER_BYTES;
  const questions = Array.from({ length: counts.questions }, () => {
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
  const answers = section(counts.answers);
  const authority = section(counts.authority);
  const additional = section(counts.additional);
  if (at !== bytes.length) throw new InvalidMessage('bytes after the last record');
  return { ...header, bytes, questions, answers, authority, additional };
}

function readCounts(bytes: Buffer, maxRecords: number) {
  const questions = bytes.readUInt16BE(4);
  const answers = bytes.readUInt16BE(6);
  const authority = bytes.readUInt16BE(8);
  const additional = bytes.readUInt16BE(10);
  const records = answers + authority + additional;
  if (questions + records > maxRecords) throw new InvalidMessage('too many records');
  if (HEADER_BYTES + questions * MIN_QUESTION_BYTES + records * MIN_RECORD_BYTES > bytes.length)
    throw new InvalidMessage('more records than there are bytes for');
  return { questions, answers, authority, additional };
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
    bytes: Math.max(512, option.class),
    version: (ttl >> 16) & 0xff,
    isDnssecOk: (ttl & 0x8000) !== 0,
  };
}

/** RFC 6891, 6.1.1. */
export function requireOneOpt({ additional }: Pick<Message, 'additional'>): void {
  const options = additional.filter(({ type }) => type === TYPE.OPT);
  if (options.length > 1 || options.some(({ name }) => name !== ''))
    throw new InvalidMessage('not one OPT record of the root');
}
