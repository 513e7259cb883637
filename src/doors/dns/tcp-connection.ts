import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConnectionUsage } from '../../platform/concurrency/connection-limits.ts';
import type { DnsAnswer } from './dns-request.ts';
import type { RequestHandler } from './request-handler.ts';
import type { TransferSlots } from './transfer-slots.ts';

const LENGTH_BYTES = 2;
/** A request has one question, a SOA and a signature. */
const MAX_REQUEST_BYTES = 4_096;
/** Of requests behind the one that is handled; beyond it the socket is not read. */
const MAX_PIPELINED_BYTES = 16_384;

export type DnsTimeouts = {
  /** Between requests; a secondary opens a connection per transfer or per few of them. */
  readonly idleMs: number;
  /** From the first byte of a request to its last. */
  readonly requestMs: number;
  /** In each period of this length a secondary must have read `minBytes`, as long as there are bytes for it. */
  readonly progressMs: number;
  /** A transfer holds a snapshot of the database, which must not stay open for hours. */
  readonly transferMs: number;
};

type Options = {
  readonly handler: RequestHandler;
  readonly transfers: TransferSlots;
  readonly timeouts: DnsTimeouts;
  readonly minBytes: number;
};

/** Requests of one TCP connection, one after the other. It has no timers: the server calls `sweep` for all. */
export class DnsConnection {
  readonly bucket: string;
  readonly #socket: Socket;
  readonly #address: string;
  readonly #options: Options;
  #pending: Buffer = Buffer.alloc(0);
  #isRunning = false;
  #isAuthenticated = false;
  #isEnding = false;
  #endReason: string | undefined;
  #lastUsedAt = performance.now();
  #transferSince: number | undefined;
  #progress = { bytes: 0, at: this.#lastUsedAt };
  #continueAfterDrain: (() => void) | undefined;
  /** When the client has ended its side. It may wait for the answer, or be gone. */
  #endedSince: number | undefined;
  /** Transfers that were sent, and not confirmed yet. */
  #deliveries: NonNullable<DnsAnswer['delivery']>[] = [];

  constructor(socket: Socket, { address, bucket }: { address: string; bucket: string }, options: Options) {
    this.#socket = socket;
    this.#address = address;
    this.bucket = bucket;
    this.#options = options;
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('end', () => this.#endOfRequests());
    socket.on('drain', () => this.#continueAfterDrain?.());
  }

  get usage(): ConnectionUsage {
    const isAuthenticated = this.#isAuthenticated;
    const isProtected = isAuthenticated && this.#isRunning && this.#endedSince === undefined;
    return { isProtected, isAuthenticated, lastUsedAt: this.#lastUsedAt };
  }

  get endReason(): string | undefined {
    return this.#endReason;
  }

  /** After the socket was closed, by either side. */
  close(): void {
    this.#isEnding = true;
    this.#pending = Buffer.alloc(0);
    this.#continueAfterDrain?.();
  }

  cut(reason: string): void {
    this.#endReason ??= reason;
    this.#isEnding = true;
    this.#socket.destroy();
  }

  /** The request under way is answered first. */
  drain(): void {
    this.#end('drained');
  }

  #end(reason: string): void {
    this.#endReason ??= reason;
    this.#isEnding = true;
    if (!this.#isRunning) this.#socket.destroySoon();
  }

  sweep(now: number): void {
    const { timeouts } = this.#options;
    if (this.#isStalled(now)) this.cut('slow-reader');
    else if (this.#isRunning) {
      if (now - (this.#transferSince ?? now) > timeouts.transferMs) this.cut('transfer-timeout');
      // Before the first byte of an answer nothing tells whether such a client is gone.
      else if (this.#transferSince === undefined && now - (this.#endedSince ?? now) > timeouts.idleMs)
        this.cut('idle-timeout');
    } else if (this.#pending.length > 0) {
      if (now - this.#lastUsedAt > timeouts.requestMs) this.cut('request-timeout');
    } else if (now - this.#lastUsedAt > timeouts.idleMs) this.#endIdle(now);
  }

  /** A secondary that has received a transfer confirms it by ending its side too; there is another period for that. */
  #endIdle(now: number): void {
    if (this.#isEnding || this.#deliveries.length === 0) {
      this.cut('idle-timeout');
      return;
    }
    this.#endReason = 'idle-timeout';
    this.#isEnding = true;
    this.#lastUsedAt = now;
    this.#socket.end();
  }

  /** With its next bytes, or the orderly end of its side, after the last byte was sent. */
  #confirmDeliveries(): void {
    if (this.#socket.writableLength > 0) return;
    const complete = this.#deliveries.filter(({ isComplete }) => isComplete());
    this.#deliveries = this.#deliveries.filter((delivery) => !complete.includes(delivery));
    for (const { confirm } of complete) confirm();
  }

  /** What was asked before is answered. */
  #endOfRequests(): void {
    this.#confirmDeliveries();
    this.#endedSince = performance.now();
    if (!this.#isRunning) this.#socket.destroySoon();
  }

  #isStalled(now: number): boolean {
    const { writableLength, bytesWritten } = this.#socket;
    const bytes = bytesWritten - writableLength;
    if (writableLength === 0 || bytes - this.#progress.bytes >= this.#options.minBytes)
      this.#progress = { bytes, at: now };
    return now - this.#progress.at > this.#options.timeouts.progressMs;
  }

  #receive(chunk: Buffer): void {
    if (this.#isEnding) return;
    this.#confirmDeliveries();
    if (this.#pending.length === 0) {
      this.#pending = chunk;
      if (!this.#isRunning) this.#lastUsedAt = performance.now();
    } else this.#pending = Buffer.concat([this.#pending, chunk]);
    if (!this.#isRunning) void this.#runNext();
    else if (this.#pending.length > MAX_PIPELINED_BYTES) this.#socket.pause();
  }

  async #runNext(): Promise<void> {
    for (let request = this.#take(); request && !this.#isEnding; request = this.#take()) {
      this.#isRunning = true;
      await this.#run(request);
      this.#isRunning = false;
      this.#transferSince = undefined;
      this.#lastUsedAt = performance.now();
    }
    if (this.#endReason !== undefined || this.#endedSince !== undefined) this.#socket.destroySoon();
    else this.#socket.resume();
  }

  #take(): Buffer | undefined {
    if (this.#pending.length < LENGTH_BYTES) return undefined;
    const end = LENGTH_BYTES + this.#pending.readUInt16BE(0);
    if (end > LENGTH_BYTES + MAX_REQUEST_BYTES) {
      this.cut('oversized-request');
      return undefined;
    }
    if (this.#pending.length < end) return undefined;
    const request = this.#pending.subarray(LENGTH_BYTES, end);
    this.#pending = this.#pending.subarray(end);
    return request;
  }

  async #run(request: Buffer): Promise<void> {
    const answer = await this.#options.handler.handle(request, { address: this.#address, transport: 'tcp' });
    // What is not worth an answer does not come from a secondary.
    if (!answer) return this.cut('invalid-request');
    this.#isAuthenticated ||= answer.isAuthenticated;
    if (answer.delivery) this.#deliveries.push(answer.delivery);
    const send = () => this.#send(answer);
    const { snapshotFor } = answer;
    const sent = snapshotFor === undefined ? send() : this.#options.transfers.run(snapshotFor, send);
    await sent.catch(() => this.cut('failed'));
  }

  async #send({ messages, isTransfer }: DnsAnswer): Promise<void> {
    if (isTransfer) this.#transferSince = performance.now();
    if (this.#socket.destroyed) return;
    for await (const message of messages) {
      await this.#write(message);
      // Leaving the loop ends the transfer, and its snapshot with it.
      if (this.#socket.destroyed) return;
    }
  }

  /** Waits until the secondary reads, so that messages do not accumulate. */
  async #write(message: Buffer): Promise<void> {
    const length = Buffer.of(message.length >> 8, message.length & 0xff);
    this.#socket.cork();
    this.#socket.write(length);
    const isAccepted = this.#socket.write(message);
    this.#socket.uncork();
    // Encoding needs no input or output, and must not keep others waiting.
    if (isAccepted || this.#socket.destroyed) await nextTurn();
    else
      await new Promise<void>((resolve) => {
        this.#continueAfterDrain = resolve;
      });
    this.#continueAfterDrain = undefined;
  }
}
