import { RCODE, type Rcode, TYPE } from './codes.ts';
import { ednsOf, type Header, type Message, type Question } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { InvalidMessage } from './names.ts';
import { readZoneRecord } from './record-data.ts';
import type { TransferKind } from './transfer.ts';
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
  readonly result: Rcode | 'BADKEY' | 'BADSIG' | 'BADTIME' | 'BADTRUNC' | 'dropped';
};
export type DnsAnswerEvent = {
  readonly secondary: string;
  readonly zone: string;
  readonly kind: TransferKind | 'soa';
  readonly serial: number;
};

export type DnsAnswer = {
  readonly messages: AsyncIterable<Buffer> | Iterable<Buffer>;
  readonly isAuthenticated: boolean;
  /** It may have many messages, and holds a snapshot meanwhile. */
  readonly isTransfer: boolean;
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

export const describeRequest = ({ message, question }: Verified) => ({
  ...{ id: message.id, question, hasEdns: ednsOf(message) !== undefined },
});

export const answerHeader = ({ id, opcode }: Header) => ({ id, opcode });

export function refusal(request: Header | Message, question: Question | undefined, rcode: Rcode): Buffer {
  const writer = new MessageWriter({ ...answerHeader(request), rcode: RCODE[rcode] });
  if (question) writer.question(question);
  if (RCODE[rcode] > 15) writer.edns(RCODE[rcode]);
  return writer.finish();
}

export const singleAnswer = (message: Buffer): DnsAnswer => ({
  ...{ messages: [message], isAuthenticated: false, isTransfer: false },
});
