import { CLASS, OPCODE, type Rcode, TSIG_ERROR } from './codes.ts';
import {
  ednsOf,
  MAX_REQUEST_RECORDS,
  type Message,
  type Question,
  readHeader,
  readMessage,
  requireOneOpt,
} from './message-reader.ts';
import { InvalidMessage } from './dns-names.ts';
import {
  type DnsAnswer,
  type DnsAnswerEvent,
  type DnsPeer,
  type DnsRequestEvent,
  refusal,
  type SecondaryKey,
  serialIn,
  singleAnswer,
  typeOf,
  type Verified,
} from './dns-request.ts';
import { SeenSignatures } from './seen-signatures.ts';
import {
  incrementalTransfer,
  presentSerial,
  type Transfer,
  transferMessages,
  wholeZone,
} from './zone-transfer.ts';
import { badTimeVariables, TsigSigner, verifyTsig } from './tsig.ts';
import { appendUnsignedError, tsigOf } from './tsig-record.ts';
import type { ZoneSource } from './zone-source.ts';

export type RequestHandlerOptions = {
  readonly zones: readonly string[];
  readonly source: ZoneSource;
  readonly findKey: (name: string) => SecondaryKey | undefined | Promise<SecondaryKey | undefined>;
  /** Shared by the servers that have the same keys. */
  readonly seenSignatures?: SeenSignatures;
  /** The wall clock, in milliseconds. */
  readonly now?: () => number;
  readonly requested: (event: DnsRequestEvent) => void;
  /** All of it was sent: from now on the secondary can know this serial. */
  readonly answered: (event: DnsAnswerEvent) => void;
  /** The secondary has received a zone or differences; whether it could use them, it does not say. */
  readonly delivered: (event: DnsAnswerEvent) => void;
  readonly failed: (error: unknown) => void;
};

const MAX_UDP_BYTES_WITHOUT_EDNS = 512;

/** Answers SOA, AXFR and IXFR of our zones to secondaries with a key, and refuses everything else. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #zones: ReadonlySet<string>;
  readonly #seen: SeenSignatures;
  readonly #now: () => number;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
    this.#zones = new Set(options.zones);
    this.#seen = options.seenSignatures ?? new SeenSignatures();
    this.#now = options.now ?? Date.now;
  }

  /** Undefined where an answer would help nobody but an attacker. Never rejects. */
  async handle(bytes: Buffer, peer: DnsPeer): Promise<DnsAnswer | undefined> {
    const header = readHeader(bytes);
    if (!header || header.isResponse) {
      this.#options.requested({ ...peer, type: 'other', result: 'dropped' });
      return undefined;
    }
    let message: Message | undefined;
    try {
      message = readMessage(bytes, MAX_REQUEST_RECORDS);
      const [question] = message.questions;
      if (!question || message.questions.length > 1) throw new InvalidMessage('not one question');
      return await this.#verify(message, question, peer);
    } catch (error) {
      if (!(error instanceof InvalidMessage)) this.#options.failed(error);
      const result = error instanceof InvalidMessage ? 'FORMERR' : 'SERVFAIL';
      this.#options.requested({ ...peer, type: 'other', result });
      return singleAnswer(refusal(message ?? header, result));
    }
  }

  async #verify(message: Message, question: Question, peer: DnsPeer): Promise<DnsAnswer> {
    const event = { ...peer, type: typeOf(question), ...(this.#isOurs(question) && { zone: question.name }) };
    const tsig = tsigOf(message);
    if (!tsig) {
      requireOneOpt(message);
      const result = isKnownVersion(message) ? 'REFUSED' : 'BADVERS';
      this.#options.requested({ ...event, result });
      return singleAnswer(refusal(message, result));
    }
    const key = await this.#options.findKey(tsig.keyName);
    const isKnown = key !== undefined && key.algorithm === tsig.algorithm;
    const outcome = isKnown ? verifyTsig(message, tsig, key, this.#now()) : 'BADKEY';
    if (isKnown && outcome === 'valid') {
      const request = { message, question, key, tsig };
      return this.#isReplay(request, event)
        ? this.#refuseReplay(request, event)
        : this.#answer(request, event);
    }
    this.#options.requested({ ...event, ...(isKnown && { key: key.name }), result: outcome as 'BADKEY' });
    const notAuth = refusal(message, 'NOTAUTH');
    if (!isKnown || outcome === 'BADKEY' || outcome === 'BADSIG') {
      const explained = appendUnsignedError(notAuth, tsig, isKnown ? 'BADSIG' : 'BADKEY');
      // The sender may be forged: nobody gets more than was sent.
      return singleAnswer(explained.length > message.bytes.length ? notAuth : explained);
    }
    const variables =
      outcome === 'BADTIME' ? badTimeVariables(tsig, this.#now()) : { error: TSIG_ERROR.BADTRUNC };
    return singleAnswer(this.#signer({ key, tsig }).sign(notAuth, variables));
  }

  /** Over UDP a client repeats the same bytes when it has no answer, and gets no more than the SOA. */
  #isReplay({ key, tsig }: Verified, { transport, type }: Omit<DnsRequestEvent, 'result'>): boolean {
    if (transport === 'udp' || (type !== 'AXFR' && type !== 'IXFR')) return false;
    return !this.#seen.add(key.name, tsig, this.#now());
  }

  /** Without the secondary: who replays is not the one that has the key. */
  #refuseReplay(request: Verified, event: Omit<DnsRequestEvent, 'result'>): DnsAnswer {
    this.#options.requested({ ...event, key: request.key.name, result: 'replayed' });
    return singleAnswer(this.#refusal(request, 'REFUSED'));
  }

  async #answer(request: Verified, event: Omit<DnsRequestEvent, 'result'>): Promise<DnsAnswer> {
    const { message, key } = request;
    const { zone } = event;
    const authenticated = { ...event, secondary: key.secondary, key: key.name };
    const refuse = (result: Rcode): DnsAnswer => {
      this.#options.requested({ ...authenticated, result });
      return { ...singleAnswer(this.#refusal(request, result)), isAuthenticated: true };
    };
    try {
      requireOneOpt(message);
      if (!isKnownVersion(message)) return refuse('BADVERS');
      if (message.opcode !== OPCODE.QUERY || event.type === 'other' || zone === undefined)
        return refuse('REFUSED');
      const from = event.type === 'IXFR' ? serialIn(message) : undefined;
      this.#options.requested({ ...authenticated, ...(from !== undefined && { from }), result: 'NOERROR' });
      if (event.transport === 'tcp' && event.type !== 'SOA') return await this.#transfer(request, zone, from);
      return { messages: this.#present(request, event), isAuthenticated: true, isTransfer: false };
    } catch (error) {
      if (error instanceof InvalidMessage) return refuse('FORMERR');
      throw error;
    }
  }

  /** Which kind of transfer it is decides whether it must wait for others. */
  async #transfer(request: Verified, zone: string, from: number | undefined): Promise<DnsAnswer> {
    const { source, failed, delivered } = this.#options;
    const { secondary } = request.key;
    try {
      const transfer =
        from === undefined ? wholeZone(source, zone) : await incrementalTransfer(source, zone, from);
      const { kind } = transfer;
      const state = { isComplete: false };
      const confirm = () => {
        const serial = transfer.serial();
        if (serial === undefined || kind === 'up-to-date') return;
        delivered({ secondary, zone, kind, serial, ...(from !== undefined && { from }) });
      };
      return {
        messages: this.#transferMessages(request, zone, transfer, state),
        isAuthenticated: true,
        isTransfer: true,
        ...(kind === 'whole' && { snapshotFor: secondary }),
        delivery: { isComplete: () => state.isComplete, confirm },
      };
    } catch (error) {
      failed(error);
      return { ...singleAnswer(this.#refusal(request, 'SERVFAIL')), isAuthenticated: true };
    }
  }

  /** The SOA, to which IXFR over UDP is reduced too: the secondary then asks over TCP (RFC 1995, 2). */
  async *#present(
    request: Verified,
    { transport, type, zone = '' }: Omit<DnsRequestEvent, 'result'>,
  ): AsyncGenerator<Buffer> {
    const { message, question } = request;
    const maxBytes = ednsOf(message)?.bytes ?? MAX_UDP_BYTES_WITHOUT_EDNS;
    try {
      const transfer = presentSerial(await this.#options.source.soa(zone));
      for await (const answer of transferMessages(message, question, transfer)) {
        const signed = this.#signer(request).sign(answer);
        const fits = transport === 'tcp' || (signed.length <= maxBytes && type !== 'AXFR');
        yield fits ? signed : this.#refusal(request, 'NOERROR', { isTruncated: true });
      }
      const serial = transfer.serial();
      if (serial !== undefined)
        this.#options.answered({ secondary: request.key.secondary, zone, kind: 'soa', serial });
    } catch (error) {
      this.#options.failed(error);
      yield this.#refusal(request, 'SERVFAIL');
    }
  }

  /** A failure before the first message is an answer; later it can only end the connection. */
  async *#transferMessages(
    request: Verified,
    zone: string,
    transfer: Transfer,
    state: { isComplete: boolean },
  ): AsyncGenerator<Buffer> {
    const { failed, answered } = this.#options;
    const signer = this.#signer(request);
    let hasBegun = false;
    try {
      for await (const { message, isLast } of withLast(
        transferMessages(request.message, request.question, transfer),
      )) {
        hasBegun = true;
        state.isComplete = isLast;
        yield signer.sign(message);
      }
    } catch (error) {
      failed(error);
      if (hasBegun) throw error;
      yield this.#refusal(request, 'SERVFAIL');
    } finally {
      const serial = transfer.serial();
      // Also if the secondary has closed the connection as soon as it had the last message.
      if (state.isComplete && serial !== undefined)
        answered({ secondary: request.key.secondary, zone, kind: transfer.kind, serial });
    }
  }

  #refusal(request: Verified, rcode: Rcode, flags?: { readonly isTruncated: boolean }): Buffer {
    return this.#signer(request).sign(refusal(request.message, rcode, flags));
  }

  #isOurs({ name, class: ofClass }: Question): boolean {
    return ofClass === CLASS.IN && this.#zones.has(name);
  }

  #signer({ key, tsig }: Pick<Verified, 'key' | 'tsig'>): TsigSigner {
    return new TsigSigner(key, tsig.mac, this.#now);
  }
}

const isKnownVersion = (message: Message): boolean => (ednsOf(message)?.version ?? 0) === 0;

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
