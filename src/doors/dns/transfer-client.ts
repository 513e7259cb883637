import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { wallClock } from '../../platform/clock/clock.ts';
import { CLASS, OPCODE, RCODE, rcodeName, TYPE } from './codes.ts';
import { type Message, readMessage } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { InvalidMessage } from './dns-names.ts';
import { readZoneRecord } from './record-data.ts';
import { type TsigKey, TsigSigner, verifyTsig } from './tsig.ts';
import { tsigOf } from './tsig-record.ts';
import type { SoaRecord, ZoneRecord } from './zone-source.ts';

export type TransferRequest = {
  readonly host: string;
  readonly port: number;
  readonly zone: string;
  readonly key: TsigKey;
  /** Without a byte from the server. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 20_000;
/** RFC 8945, 5.3.1. */
const MAX_UNSIGNED_MESSAGES = 99;

/**
 * The zone that a server has, by AXFR: its SOA first, and without the types that the registry does not publish, such as
 * signatures. Throws if the transfer is refused, incomplete or not signed.
 */
export async function* transferZone(request: TransferRequest): AsyncGenerator<readonly ZoneRecord[]> {
  const { host, zone } = request;
  let soas = 0;
  for await (const { message, isSigned } of transferAnswers(request)) {
    const isFirst = soas === 0;
    soas += message.answers.filter(({ type }) => type === TYPE.SOA).length;
    if (isFirst && message.answers[0]?.type !== TYPE.SOA)
      throw new InvalidMessage('a transfer that does not begin with the SOA');
    const records = message.answers.flatMap((record) => readZoneRecord(message, record) ?? []);
    yield soas > 1 ? records.slice(0, -1) : records;
    if (soas < 2) continue;
    if (!isSigned) throw new Error('the last message of the answer is not signed');
    return;
  }
  throw new Error(`${host} has ended the transfer of ${zone} before it was complete`);
}

/**
 * The messages that answer a request for a transfer, verified; the caller knows which is the last. With the SOA that a
 * secondary has, only the differences since are requested (IXFR, RFC 1995).
 */
export async function* transferAnswers(
  { host, port, zone, key, timeoutMs = TIMEOUT_MS }: TransferRequest,
  since?: SoaRecord,
): AsyncGenerator<{ readonly message: Message; readonly isSigned: boolean }> {
  const socket = connect({ host, port });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`${host} does not answer`)));
  try {
    await once(socket, 'connect');
    const [id, signer] = [randomInt(0x10000), new TsigSigner(key)];
    const type = since ? TYPE.IXFR : TYPE.AXFR;
    const header = { id, opcode: OPCODE.QUERY, isRequest: true };
    const question = new MessageWriter(header).question({ name: zone, type, class: CLASS.IN });
    const signed = signer.sign((since ? question.authority(since) : question).finish());
    socket.write(Buffer.concat([Buffer.of(signed.length >> 8, signed.length & 0xff), signed]));
    const chain = new AnswerChain(key, signer.mac);
    for await (const bytes of messagesOf(socket)) {
      const message = readMessage(bytes);
      yield { message, isSigned: chain.add(message, id) };
    }
  } finally {
    socket.destroy();
  }
}

async function* messagesOf(socket: Socket): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      yield pending.subarray(2, end);
      pending = pending.subarray(end);
    }
  }
}

/** Verifies the messages of one answer, of which not each must be signed. */
class AnswerChain {
  readonly #key: TsigKey;
  #prior: Buffer | undefined;
  #unsigned: Buffer[] = [];
  #isContinued = false;

  constructor(key: TsigKey, requestMac: Buffer | undefined) {
    this.#key = key;
    this.#prior = requestMac;
  }

  /** Whether this one is signed itself. */
  add(message: Message, id: number): boolean {
    if (message.id !== id || !message.isResponse) throw new InvalidMessage('an answer to another request');
    const tsig = tsigOf(message);
    const refused = message.rcode === RCODE.NOERROR ? undefined : rcodeName(message.rcode);
    if (refused !== undefined)
      throw new Error(`the server answers ${refused}${tsig ? ` (TSIG error ${tsig.error})` : ''}`);
    if (!tsig) {
      this.#unsigned.push(message.bytes);
      if (!this.#isContinued || this.#unsigned.length > MAX_UNSIGNED_MESSAGES)
        throw new Error('the answer is not signed');
      return false;
    }
    const outcome = verifyTsig(message, tsig, this.#key, wallClock.now().getTime(), {
      ...(this.#prior && { prior: this.#prior }),
      unsigned: this.#unsigned,
      isContinued: this.#isContinued,
    });
    if (outcome !== 'valid') throw new Error(`the signature of the answer is not valid (${outcome})`);
    this.#prior = tsig.mac;
    this.#unsigned = [];
    this.#isContinued = true;
    return true;
  }
}
