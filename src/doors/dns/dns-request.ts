import { RCODE, type Rcode, TYPE } from './codes.ts';
import { ednsOf, type Header, type Message, type Question } from './message-reader.ts';
import { MessageWriter, SHORT_MESSAGE_BYTES } from './message-writer.ts';
import { InvalidMessage } from './dns-names.ts';
import { readZoneRecord } from './record-data.ts';
import type { TransferKind } from './zone-transfer.ts';
import type { TsigKey } from './tsig.ts';
import type { Tsig } from './tsig-record.ts';

/** A key that a secondary may use now. */
export type SecondaryKey = TsigKey & { readonly secondary: string };

export type DnsPeer = { readonly address: string; readonly transport: 'udp' | 'tcp' };
export type DnsRequestEvent = DnsPeer & {
  readonly type: 'SOA' | 'AXFR' | 'IXFR' | 'other';
  /** One of ours. */
  readonly zone?: string;
  readonly secondary?: string;
  readonly key?: string;
  /** The serial that the secondary has, as it says with IXFR. */
  readonly from?: number;
  readonly result: Rcode | 'BADKEY' | 'BADSIG' | 'BADTIME' | 'BADTRUNC' | 'dropped' | 'replayed';
};
export type DnsAnswerEvent = {
  readonly secondary: string;
  readonly zone: string;
  readonly kind: TransferKind | 'soa';
  readonly serial: number;
  /** That the secondary had, as it says with IXFR. */
  readonly from?: number;
};

export type DnsAnswer = {
  readonly messages: AsyncIterable<Buffer> | Iterable<Buffer>;
  readonly isAuthenticated: boolean;
  /** It may have many messages. */
  readonly isTransfer: boolean;
  /** The secondary, if the answer is a whole zone: it holds a snapshot while it is sent. */
  readonly snapshotFor?: string;
  /** Confirmed when the secondary, after the last message, ends the connection in order or asks again. */
  readonly delivery?: { readonly isComplete: () => boolean; readonly confirm: () => void };
};
/** A request whose signature was verified. */
export type Verified = {
  readonly message: Message;
  readonly question: Question;
  readonly key: SecondaryKey;
  readonly tsig: Tsig;
};

export function typeOf({ type }: Question): DnsRequestEvent['type'] {
  if (type === TYPE.SOA) return 'SOA';
  if (type === TYPE.AXFR) return 'AXFR';
  return type === TYPE.IXFR ? 'IXFR' : 'other';
}

/** The secondary's SOA stands in the authority section (RFC 1995, 3). */
export function serialIn(message: Message): number {
  const [record] = message.authority;
  const soa = record && readZoneRecord(message, record);
  if (soa?.type !== 'SOA') throw new InvalidMessage('IXFR without a serial');
  return soa.data.serial;
}

export const answerHeader = ({ id, opcode, isRecursionDesired }: Header) => ({
  id,
  opcode,
  isRecursionDesired,
});

/**
 * An answer without records. It has the question if there is exactly one, and EDNS if the request has
 * (RFC 6891, 6.1.1); neither is known if no more than the header could be read.
 */
export function refusal(request: Header | Message, rcode: Rcode, { isTruncated = false } = {}): Buffer {
  const number = RCODE[rcode];
  const header = { ...answerHeader(request), rcode: number, isTruncated };
  const writer = new MessageWriter(header, SHORT_MESSAGE_BYTES);
  if (!('questions' in request)) return writer.finish();
  const [question, ...others] = request.questions;
  if (question && others.length === 0) writer.question(question);
  const edns = ednsOf(request);
  return (edns ? writer.edns({ ...edns, rcode: number }) : writer).finish();
}

export const singleAnswer = (message: Buffer): DnsAnswer => ({
  messages: [message],
  isAuthenticated: false,
  isTransfer: false,
});
