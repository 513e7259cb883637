import { CLASS, TYPE } from './codes.ts';
import { HEADER_BYTES, type Question } from './message-reader.ts';
import { encodeName, InvalidMessage, labelsOf, MAX_LABEL_BYTES, MAX_NAME_BYTES } from './dns-names.ts';
import { writeRecordData } from './record-data.ts';
import type { ZoneRecord } from './zone-source.ts';

export const MAX_MESSAGE_BYTES = 65_535;
/** Two names and the numbers of a SOA record, below its own name. */
const MAX_RECORD_BYTES = 3 * MAX_NAME_BYTES + 64;
/** For a TSIG record and an OPT record behind the answers. */
const RESERVED_BYTES = 2 * MAX_NAME_BYTES + 128;
/** A question and at most one record: anybody can ask for such messages, and many at once. */
export const SHORT_MESSAGE_BYTES = 2_048;
const MAX_POINTER = 0x3fff;
const UDP_BYTES = 1_232;

export type AnswerHeader = {
  readonly id: number;
  readonly opcode: number;
  readonly rcode?: number;
  readonly isAuthoritative?: boolean;
  readonly isTruncated?: boolean;
  readonly isRecursionDesired?: boolean;
  readonly isRequest?: boolean;
};

/** Writes one message with compressed names (RFC 1035, 4.1.4). */
export class MessageWriter {
  readonly #bytes: Buffer;
  /** Where each name that ends in this way was written. */
  readonly #offsets = new Map<string, number>();
  #at = HEADER_BYTES;
  #questions = 0;
  #answers = 0;
  #authority = 0;
  #additional = 0;

  constructor(header: AnswerHeader, maxBytes = MAX_MESSAGE_BYTES) {
    this.#bytes = Buffer.allocUnsafeSlow(maxBytes);
    const { id, opcode, rcode = 0 } = header;
    const flags =
      (header.isRequest ? 0 : 0x8000) |
      (header.isAuthoritative ? 0x0400 : 0) |
      (header.isTruncated ? 0x0200 : 0) |
      (header.isRecursionDesired ? 0x0100 : 0);
    this.#bytes.writeUInt16BE(id, 0);
    this.#bytes.writeUInt16BE(flags | (opcode << 11) | (rcode & 0xf), 2);
  }

  get hasAnswers(): boolean {
    return this.#answers > 0;
  }

  question({ name, type, class: ofClass, spelling }: Question): this {
    // Records must not point to another spelling: they have that of the zone.
    if (spelling && !spelling.equals(encodeName(name))) this.raw(spelling);
    else this.name(name);
    this.number16(type);
    this.number16(ofClass);
    this.#questions += 1;
    return this;
  }

  /** False if there is no room for one more; then nothing was written. */
  answer(record: ZoneRecord): boolean {
    if (this.#at + MAX_RECORD_BYTES + RESERVED_BYTES > this.#bytes.length) return false;
    this.#record(record);
    this.#answers += 1;
    return true;
  }

  authority(record: ZoneRecord): this {
    this.#record(record);
    this.#authority += 1;
    return this;
  }

  /** EDNS (RFC 6891). The upper bits of an rcode above 15 are in its TTL; DO is that of the request (RFC 3225). */
  edns({ rcode = 0, isDnssecOk = false } = {}): this {
    this.name('');
    this.number16(TYPE.OPT);
    this.number16(UDP_BYTES);
    this.number32((((rcode >> 4) << 24) | (isDnssecOk ? 0x8000 : 0)) >>> 0);
    this.number16(0);
    this.#additional += 1;
    return this;
  }

  finish(): Buffer {
    const counts = [this.#questions, this.#answers, this.#authority, this.#additional];
    for (const [index, count] of counts.entries()) this.#bytes.writeUInt16BE(count, 4 + 2 * index);
    return this.#bytes.subarray(0, this.#at);
  }

  #record(record: ZoneRecord): void {
    this.name(record.name);
    this.number16(TYPE[record.type]);
    this.number16(CLASS.IN);
    this.number32(record.ttl);
    const lengthAt = this.#at;
    this.#at += 2;
    writeRecordData(this, record);
    this.#bytes.writeUInt16BE(this.#at - lengthAt - 2, lengthAt);
  }

  name(name: string): void {
    if (name.includes('\\')) {
      this.#escapedName(name);
      return;
    }
    if (name.length > MAX_NAME_BYTES - 2) throw new InvalidMessage(`${name} is longer than 255 bytes`);
    let rest = name.toLowerCase();
    while (rest !== '') {
      const known = this.#offsets.get(rest);
      if (known !== undefined) {
        this.number16(0xc000 | known);
        return;
      }
      if (this.#at <= MAX_POINTER) this.#offsets.set(rest, this.#at);
      const dot = rest.indexOf('.');
      const length = dot < 0 ? rest.length : dot;
      if (length === 0 || length > MAX_LABEL_BYTES) throw new InvalidMessage(`${name} is no domain name`);
      this.number8(length);
      this.#at += this.#bytes.write(rest, this.#at, length, 'latin1');
      rest = dot < 0 ? '' : rest.slice(dot + 1);
    }
    this.number8(0);
  }

  /** Without compression: such names are rare. */
  #escapedName(name: string): void {
    const labels = labelsOf(name);
    if (labels.reduce((sum, { length }) => sum + 1 + length, 1) > MAX_NAME_BYTES)
      throw new InvalidMessage(`${name} is longer than 255 bytes`);
    for (const label of labels) {
      this.number8(label.length);
      this.raw(label);
    }
    this.number8(0);
  }

  number8(value: number): void {
    this.#at = this.#bytes.writeUInt8(value, this.#at);
  }

  number16(value: number): void {
    this.#at = this.#bytes.writeUInt16BE(value, this.#at);
  }

  number32(value: number): void {
    this.#at = this.#bytes.writeUInt32BE(value, this.#at);
  }

  raw(bytes: Buffer): void {
    this.#at += bytes.copy(this.#bytes, this.#at);
  }
}
