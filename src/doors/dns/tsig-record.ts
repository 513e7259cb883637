import { CLASS, TSIG_ERROR, TYPE } from './codes.ts';
import type { Message, RawRecord } from './message-reader.ts';
import { encodeName, InvalidMessage, readName } from './dns-names.ts';

export type Tsig = {
  readonly keyName: string;
  readonly algorithm: string;
  readonly timeSigned: number;
  readonly fudge: number;
  readonly mac: Buffer;
  readonly originalId: number;
  readonly error: number;
  readonly other: Buffer;
  /** Where the record begins, which is where the signed message ends. */
  readonly offset: number;
};
export type Times = Pick<Tsig, 'timeSigned' | 'fudge'>;

/** The TSIG record of a message; undefined if it is not signed. It must be the last record. */
export function tsigOf(message: Message): Tsig | undefined {
  const { answers, authority, additional } = message;
  const last = additional.at(-1);
  const before = [...answers, ...authority, ...additional.slice(0, -1)];
  if (before.some(({ type }) => type === TYPE.TSIG)) throw new InvalidMessage('a TSIG record before others');
  return last?.type === TYPE.TSIG ? readTsig(message, last) : undefined;
}

function readTsig({ bytes }: Message, record: RawRecord): Tsig {
  const { name, end: at } = readName(bytes, record.dataOffset);
  const dataEnd = record.end;
  if (record.class !== CLASS.ANY || record.ttl !== 0 || at + 16 > dataEnd)
    throw new InvalidMessage('a TSIG record of a wrong form');
  const macEnd = at + 10 + bytes.readUInt16BE(at + 8);
  if (macEnd + 6 > dataEnd || macEnd + 6 + bytes.readUInt16BE(macEnd + 4) !== dataEnd)
    throw new InvalidMessage('a TSIG record of a wrong length');
  return {
    keyName: record.name,
    algorithm: name,
    offset: record.offset,
    timeSigned: bytes.readUIntBE(at, 6),
    fudge: bytes.readUInt16BE(at + 6),
    mac: bytes.subarray(at + 10, macEnd),
    originalId: bytes.readUInt16BE(macEnd),
    error: bytes.readUInt16BE(macEnd + 2),
    other: bytes.subarray(macEnd + 6, dataEnd),
  };
}

export const number16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff);
export const withLength = (bytes: Buffer): Buffer => Buffer.concat([number16(bytes.length), bytes]);

export function timesBytes({ timeSigned, fudge }: Times): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(timeSigned, 0, 6);
  bytes.writeUInt16BE(fudge, 6);
  return bytes;
}

/** To a key or signature that is not known as valid the answer is not signed (RFC 8945, 5.3.2). */
export const appendUnsignedError = (message: Buffer, request: Tsig, error: 'BADKEY' | 'BADSIG'): Buffer =>
  appendTsig(message, { ...request, mac: Buffer.alloc(0), error: TSIG_ERROR[error], other: Buffer.alloc(0) });

export function appendTsig(message: Buffer, tsig: Omit<Tsig, 'offset' | 'originalId'>): Buffer {
  const data = Buffer.concat([
    encodeName(tsig.algorithm),
    timesBytes(tsig),
    withLength(tsig.mac),
    message.subarray(0, 2),
    number16(tsig.error),
    withLength(tsig.other),
  ]);
  const signed = Buffer.concat([
    message,
    encodeName(tsig.keyName),
    number16(TYPE.TSIG),
    number16(CLASS.ANY),
    Buffer.alloc(4),
    withLength(data),
  ]);
  signed.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return signed;
}
