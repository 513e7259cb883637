import { randomInt } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { backoffMs } from '../../platform/outbox/backoff.ts';
import { canonicalAddress } from '../../platform/values/ip-addresses.ts';
import { isLaterSerial } from '../../registry/zones/serial.ts';
import { CLASS, OPCODE, RCODE, rcodeName, TYPE } from './codes.ts';
import { MAX_REQUEST_RECORDS, type Message, readMessage } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { type TsigKey, TsigSigner, verifyTsig } from './tsig.ts';
import { tsigOf } from './tsig-record.ts';
import type { SoaRecord } from './zone-source.ts';

export type NotifyTarget = {
  readonly secondary: string;
  readonly address: string;
  readonly port: number;
  readonly key: TsigKey;
};
export type NotifyEvent = {
  readonly secondary: string;
  readonly zone: string;
  readonly serial: number;
  /** Answered with an error is tried again; asked: it has been told the serial without its answer. */
  readonly result: 'answered' | 'asked' | 'gave-up' | 'refused';
  readonly detail?: string;
};
export type NotifierOptions = {
  readonly notified: (event: NotifyEvent) => void;
  readonly now?: () => number;
  readonly firstRetryMs?: number;
  readonly maxRetryMs?: number;
  readonly attempts?: number;
};

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;
/** For about ten minutes; afterwards the refresh interval of the zone brings the secondary to ask. */
const ATTEMPTS = 16;

type Pending = {
  target: NotifyTarget;
  readonly soa: SoaRecord;
  readonly id: number;
  mac: Buffer | undefined;
  attempts: number;
  timer: NodeJS.Timeout | undefined;
};

/** Tells secondaries of new serials (RFC 1996), each until it answers or has been told the serial otherwise. */
export class Notifier {
  readonly #options: NotifierOptions;
  /** One per secondary and zone: a newer serial takes the place of an older one. */
  readonly #pending = new Map<string, Pending>();
  readonly #sockets = new Map<'udp4' | 'udp6', Socket>();

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  get pending(): number {
    return this.#pending.size;
  }

  publish(soa: SoaRecord, targets: readonly NotifyTarget[]): void {
    for (const target of targets) {
      const key = keyOf(target.secondary, soa.name);
      const known = this.#pending.get(key);
      if (known && !isLaterSerial(soa.data.serial, known.soa.data.serial)) continue;
      clearTimeout(known?.timer);
      const pending = { target, soa, id: this.#freeId(), mac: undefined, attempts: 0, timer: undefined };
      this.#pending.set(key, pending);
      this.#send(pending);
    }
  }

  /**
   * Ends the notifications of secondaries that are not among these, or have another address by now. Those with another
   * key, since the one before was revoked, are told with it from the next attempt on.
   */
  retain(targets: readonly NotifyTarget[]): void {
    if (this.#pending.size === 0) return;
    const current = new Map(targets.map((target) => [target.secondary, target]));
    for (const pending of this.#pending.values()) {
      const target = current.get(pending.target.secondary);
      if (target?.address === pending.target.address && target.port === pending.target.port)
        pending.target = target;
      else this.#remove(pending);
    }
  }

  /** The secondary has been told this serial in an answer to its own request. */
  acknowledge(secondary: string, zone: string, serial: number): void {
    const pending = this.#pending.get(keyOf(secondary, zone));
    if (pending && !isLaterSerial(pending.soa.data.serial, serial)) this.#finish(pending, 'asked');
  }

  close(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  #send(pending: Pending): void {
    const { target, soa, id } = pending;
    const { attempts = ATTEMPTS, firstRetryMs = FIRST_RETRY_MS, maxRetryMs = MAX_RETRY_MS } = this.#options;
    if (pending.attempts === attempts) {
      this.#finish(pending, 'gave-up');
      return;
    }
    const question = { name: soa.name, type: TYPE.SOA, class: CLASS.IN };
    const writer = new MessageWriter({ id, opcode: OPCODE.NOTIFY, isAuthoritative: true, isRequest: true });
    writer.question(question).answer(soa);
    const signer = new TsigSigner(target.key, undefined, this.#options.now);
    const message = signer.sign(writer.finish());
    pending.mac = signer.mac;
    // What cannot be sent is sent again.
    this.#socketFor(target.address).send(message, target.port, target.address, () => {});
    pending.attempts += 1;
    const delay = backoffMs({ firstMs: firstRetryMs, maxMs: maxRetryMs }, pending.attempts);
    pending.timer = setTimeout(() => this.#send(pending), delay).unref();
  }

  #receive(bytes: Buffer, from: RemoteInfo): void {
    const id = bytes.length < 2 ? undefined : bytes.readUInt16BE(0);
    const pending = [...this.#pending.values()].find((each) => each.id === id);
    if (!pending || !isFrom(pending.target, from)) return;
    const answer = verifiedAnswer(bytes, pending, (this.#options.now ?? Date.now)());
    if (answer?.rcode === RCODE.NOERROR) this.#finish(pending, 'answered');
    else this.#report(pending, 'refused', answer ? rcodeName(answer.rcode) : 'not signed as it must be');
  }

  #finish(pending: Pending, result: 'answered' | 'asked' | 'gave-up'): void {
    this.#remove(pending);
    this.#report(pending, result);
  }

  #remove({ target, soa, timer }: Pending): void {
    clearTimeout(timer);
    this.#pending.delete(keyOf(target.secondary, soa.name));
  }

  #report({ target, soa }: Pending, result: NotifyEvent['result'], detail?: string): void {
    const { secondary } = target;
    const event = { secondary, zone: soa.name, serial: soa.data.serial, result };
    this.#options.notified({ ...event, ...(detail !== undefined && { detail }) });
  }

  #freeId(): number {
    const used = new Set([...this.#pending.values()].map(({ id }) => id));
    for (;;) {
      const id = randomInt(0x10000);
      if (!used.has(id)) return id;
    }
  }

  #socketFor(address: string): Socket {
    const type = isIPv6(address) ? 'udp6' : 'udp4';
    const known = this.#sockets.get(type);
    if (known) return known;
    const socket = createSocket(type).unref();
    socket.on('message', (bytes, from) => this.#receive(bytes, from));
    // A closed port of the secondary is reported here; it is asked again.
    socket.on('error', () => {});
    this.#sockets.set(type, socket);
    return socket;
  }
}

const keyOf = (secondary: string, zone: string): string => `${zone} ${secondary}`;
const isFrom = ({ address, port }: NotifyTarget, from: RemoteInfo): boolean =>
  from.port === port && canonicalAddress(from.address) === canonicalAddress(address);

/** Without a signature anybody could end the notifications. */
function verifiedAnswer(bytes: Buffer, { mac, target }: Pending, now: number): Message | undefined {
  try {
    const message = readMessage(bytes, MAX_REQUEST_RECORDS);
    const tsig = tsigOf(message);
    if (!mac || !message.isResponse || message.opcode !== OPCODE.NOTIFY || tsig?.keyName !== target.key.name)
      return undefined;
    return verifyTsig(message, tsig, target.key, now, { prior: mac }) === 'valid' ? message : undefined;
  } catch {
    return undefined;
  }
}
