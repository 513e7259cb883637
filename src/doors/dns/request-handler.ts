import { CLASS, OPCODE, type Rcode, TSIG_ERROR } from './codes.ts';
import { ednsOf, type Message, type Question, readHeader, readMessage } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { InvalidMessage } from './names.ts';
import {
  answerHeader,
  type DnsAnswer,
  type DnsAnswerEvent,
  type DnsPeer,
  type DnsRequestEvent,
  describeRequest,
  refusal,
  type SecondaryKey,
  serialIn,
  singleAnswer,
  typeOf,
  type Verified,
} from './request.ts';
import {
  incrementalTransfer,
  presentSerial,
  type Transfer,
  transferMessages,
  wholeZone,
} from './transfer.ts';
import { badTimeVariables, TsigSigner, verifyTsig } from './tsig.ts';
import { appendUnsignedError, tsigOf } from './tsig-record.ts';
import type { ZoneSource } from './zone-source.ts';

export type RequestHandlerOptions = {
  readonly zones: readonly string[];
  readonly source: ZoneSource;
  readonly findKey: (name: string) => SecondaryKey | undefined | Promise<SecondaryKey | undefined>;
  /** The wall clock, in milliseconds. */
  readonly now?: () => number;
  readonly requested: (event: DnsRequestEvent) => void;
  /** All of it was sent: from now on the secondary can know this serial. */
  readonly answered: (event: DnsAnswerEvent) => void;
  readonly failed: (error: unknown) => void;
};

const MAX_UDP_BYTES_WITHOUT_EDNS = 512;

/** Answers SOA, AXFR and IXFR of our zones to secondaries with a key, and refuses everything else. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #zones: ReadonlySet<string>;
  readonly #now: () => number;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
    this.#zones = new Set(options.zones);
    this.#now = options.now ?? Date.now;
  }

  /** Undefined where an answer would help nobody but an attacker. Never rejects. */
  async handle(bytes: Buffer, peer: DnsPeer): Promise<DnsAnswer | undefined> {
    const header = readHeader(bytes);
    if (!header || header.isResponse) {
      this.#options.requested({ ...peer, type: 'other', result: 'dropped' });
      return undefined;
    }
    try {
      const message = readMessage(bytes);
      const [question] = message.questions;
      if (!question || message.questions.length > 1) throw new InvalidMessage('not one question');
      return await this.#verify(message, question, peer);
    } catch (error) {
      if (!(error instanceof InvalidMessage)) this.#options.failed(error);
      const result = error instanceof InvalidMessage ? 'FORMERR' : 'SERVFAIL';
      this.#options.requested({ ...peer, type: 'other', result });
      return singleAnswer(refusal(header, undefined, result));
    }
  }

  async #verify(message: Message, question: Question, peer: DnsPeer): Promise<DnsAnswer> {
    const event = { ...peer, type: typeOf(question), ...(this.#isOurs(question) && { zone: question.name }) };
    const tsig = tsigOf(message);
    if (!tsig) {
      this.#options.requested({ ...event, result: 'REFUSED' });
      return singleAnswer(refusal(message, question, 'REFUSED'));
    }
    const key = await this.#options.findKey(tsig.keyName);
    const isKnown = key !== undefined && key.algorithm === tsig.algorithm;
    const outcome = isKnown ? verifyTsig(message, tsig, key, this.#now()) : 'BADKEY';
    if (isKnown && outcome === 'valid') return this.#answer({ message, question, key, tsig }, event);
    this.#options.requested({ ...event, ...(isKnown && { key: key.name }), result: outcome as 'BADKEY' });
    const notAuth = refusal(message, question, 'NOTAUTH');
    if (!isKnown || outcome === 'BADKEY' || outcome === 'BADSIG')
      return singleAnswer(appendUnsignedError(notAuth, tsig, isKnown ? 'BADSIG' : 'BADKEY'));
    const variables =
      outcome === 'BADTIME' ? badTimeVariables(tsig, this.#now()) : { error: TSIG_ERROR.BADTRUNC };
    return singleAnswer(this.#signer({ key, tsig }).sign(notAuth, variables));
  }

  #answer(request: Verified, event: Omit<DnsRequestEvent, 'result'>): DnsAnswer {
    const { message, question, key } = request;
    const authenticated = { ...event, secondary: key.secondary, key: key.name };
    const edns = ednsOf(message);
    const refuse = (result: Rcode): DnsAnswer => {
      this.#options.requested({ ...authenticated, result });
      return {
        ...singleAnswer(this.#signer(request).sign(refusal(message, question, result))),
        isAuthenticated: true,
      };
    };
    if (edns && edns.version > 0) return refuse('BADVERS');
    if (message.opcode !== OPCODE.QUERY || event.type === 'other' || event.zone === undefined)
      return refuse('REFUSED');
    const from = event.type === 'IXFR' ? serialIn(message) : undefined;
    this.#options.requested({ ...authenticated, ...(from !== undefined && { from }), result: 'NOERROR' });
    const isTransfer = event.transport === 'tcp' && event.type !== 'SOA';
    const messages = isTransfer
      ? this.#transfer(request, event.zone, from)
      : this.#present(request, event, edns?.bytes ?? MAX_UDP_BYTES_WITHOUT_EDNS);
    return { messages, isAuthenticated: true, isTransfer };
  }

  /** The SOA, to which IXFR over UDP is reduced too: the secondary then asks over TCP (RFC 1995, 2). */
  async *#present(
    request: Verified,
    { transport, type, zone = '' }: Omit<DnsRequestEvent, 'result'>,
    maxBytes: number,
  ): AsyncGenerator<Buffer> {
    const { message, question } = request;
    const truncated = new MessageWriter({ ...answerHeader(message), isTruncated: true }).question(question);
    try {
      const transfer = presentSerial(await this.#options.source.soa(zone));
      for await (const answer of transferMessages(describeRequest(request), transfer)) {
        const signed = this.#signer(request).sign(answer);
        const fits = transport === 'tcp' || (signed.length <= maxBytes && type !== 'AXFR');
        yield fits ? signed : this.#signer(request).sign(truncated.finish());
      }
      const serial = transfer.serial();
      if (serial !== undefined)
        this.#options.answered({ secondary: request.key.secondary, zone, kind: 'soa', serial });
    } catch (error) {
      this.#options.failed(error);
      yield this.#signer(request).sign(refusal(message, question, 'SERVFAIL'));
    }
  }

  /** A failure before the first message is an answer; later it can only end the connection. */
  async *#transfer(request: Verified, zone: string, from: number | undefined): AsyncGenerator<Buffer> {
    const { source, failed, answered } = this.#options;
    const signer = this.#signer(request);
    let [hasBegun, isComplete] = [false, false];
    let transfer: Transfer | undefined;
    try {
      transfer = from === undefined ? wholeZone(source, zone) : await incrementalTransfer(source, zone, from);
      for await (const { message, isLast } of withLast(
        transferMessages(describeRequest(request), transfer),
      )) {
        hasBegun = true;
        isComplete = isLast;
        yield signer.sign(message);
      }
    } catch (error) {
      failed(error);
      if (hasBegun) throw error;
      yield this.#signer(request).sign(refusal(request.message, request.question, 'SERVFAIL'));
    } finally {
      const serial = transfer?.serial();
      // Also if the secondary has closed the connection as soon as it had the last message.
      if (transfer && isComplete && serial !== undefined)
        answered({ secondary: request.key.secondary, zone, kind: transfer.kind, serial });
    }
  }

  #isOurs({ name, class: ofClass }: Question): boolean {
    return ofClass === CLASS.IN && this.#zones.has(name);
  }

  #signer({ key, tsig }: Pick<Verified, 'key' | 'tsig'>): TsigSigner {
    return new TsigSigner(key, tsig.mac, this.#now);
  }
}

async function* withLast(
  messages: AsyncIterable<Buffer>,
): AsyncGenerator<{ message: Buffer; isLast: boolean }> {
  let previous: Buffer | undefined;
  for await (const message of messages) {
    if (previous) yield { message: previous, isLast: false };
    previous = message;
  }
  if (previous) yield { message: previous, isLast: true };
}
