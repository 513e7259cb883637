import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { fingerprintOf } from '../../../platform/certificates/certificate.ts';
import type { ConnectionUsage } from '../../../platform/concurrency/connection-limits.ts';
import { encodeFrame, FrameReader } from './frame-reader.ts';
import type { LargeFrame, LargeFrames } from './large-frames.ts';
import { PieceAllowance } from './piece-allowance.ts';
import type { EppAnswer, EppPeer, EppSession } from './session-handler.ts';

/** A login has less than two. */
const MAX_FRAME_BYTES_BEFORE_LOGIN = 8_192;
/** Legal documents of 8 MiB in Base64, and what is around them. */
const MAX_FRAME_BYTES = 12 * 1024 * 1024;
/** Of frames behind the one that is handled; beyond it the socket is not read. */
const MAX_PIPELINED_BYTES = 65_536;
/** Larger frames are received one after the other. */
const LARGE_FRAME_BYTES = 65_536;
/** A login arrives in a few; a TLS record may be a single byte. */
const MAX_PIECES_BEFORE_LOGIN = 512;
/** Above the time limits, large frames and answers are given time at these rates. */
const MIN_FRAME_BYTES_PER_MS = 16;
const MIN_ANSWER_BYTES_PER_MS = 128;

export type ConnectionTimeouts = {
  /** PROXY header and TLS handshake together. */
  readonly handshakeMs: number;
  /** From the greeting to a successful login, whatever the client sends. */
  readonly loginMs: number;
  readonly idleMs: number;
  readonly frameMs: number;
  readonly answerMs: number;
  /** How long a client has to close its side after we have closed ours. */
  readonly lingerMs: number;
};

type Options = {
  readonly timeouts: ConnectionTimeouts;
  readonly openSession: (peer: EppPeer) => EppSession;
  readonly largeFrames: LargeFrames;
  /** Told once, after the login. */
  readonly loggedIn: (connection: EppConnection, registrar: string) => void;
};

/** One EPP session on one connection. It has no timers of its own: the server calls `sweep` for all. */
export class EppConnection {
  /** The client's; behind a proxy the one that the proxy has told. */
  address: string;
  /** What the limits count it as; undefined for a proxy that speaks for itself. */
  bucket: string | undefined;
  readonly #options: Options;
  readonly #reader = new FrameReader();
  readonly #raw: Socket;
  #socket: Socket;
  #session: EppSession | undefined;
  #isRunning = false;
  #isEnding = false;
  #isKnown = false;
  #pieces = 0;
  readonly #allowance = new PieceAllowance();
  /** The one that is being received, waits for its turn or is worked on. */
  #large: LargeFrame | undefined;
  #endReason: string | undefined;
  /** Since when it is in its stage: handshake, before login, or ending. */
  #stageSince = performance.now();
  #lastUsedAt = this.#stageSince;
  #frameSince: number | undefined;
  #unreadSince: number | undefined;
  #continueAfterDrain: (() => void) | undefined;

  constructor(raw: Socket, address: string, options: Options) {
    this.#raw = raw;
    this.#socket = raw;
    this.address = address;
    this.#options = options;
  }

  /** A session that has logged in is never displaced; sessions per registrar are limited too. */
  get usage(): ConnectionUsage {
    const isAuthenticated = this.#session?.registrar !== undefined;
    return { isProtected: isAuthenticated || this.#isRunning, isAuthenticated, lastUsedAt: this.#lastUsedAt };
  }

  /** Why the server ended it; undefined if the client did. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  /** The TLS handshake is complete. */
  open(socket: TLSSocket): void {
    if (this.#session) throw new Error('a connection has one session');
    const certificate = socket.getPeerX509Certificate();
    this.#session = this.#options.openSession({
      address: this.address,
      fingerprint: certificate && fingerprintOf(certificate),
      tlsVersion: socket.getProtocol() ?? '',
      end: (reason) => this.end(reason),
    });
    this.#socket = socket;
    this.#stageSince = performance.now();
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('drain', () => this.#continueAfterDrain?.());
    // The connection ends with 'close', which follows.
    socket.on('error', () => {});
    socket.write(encodeFrame(this.#session.greeting()));
  }

  /** After the socket was closed, by either side. */
  close(): void {
    this.#isEnding = true;
    this.#reader.clear();
    this.#endLarge();
    this.#continueAfterDrain?.();
    this.#session?.close();
  }

  /** The running command is answered first. */
  end(reason: string): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    if (!this.#session) this.#socket.destroy();
    else if (!this.#isRunning) this.#finish();
  }

  /** Like `end`, but an idle connection is closed without waiting for the client to do so. */
  drain(): void {
    this.end('drained');
    if (!this.#isRunning) this.#socket.destroySoon();
  }

  cut(reason: string): void {
    this.#endReason ??= reason;
    this.#socket.destroy();
  }

  sweep(now: number): void {
    const { timeouts } = this.#options;
    const session = this.#session;
    const stageMs = now - this.#stageSince;
    if (!session) {
      if (stageMs > timeouts.handshakeMs) this.cut('handshake-timeout');
    } else if (this.#isUnread(now)) this.cut('unread-answer');
    else if (this.#isEnding) {
      if (this.#unreadSince !== undefined) this.#stageSince = now;
      else if (stageMs > timeouts.lingerMs) this.#socket.destroy();
    } else if (this.#isRunning) return;
    else if (session.registrar === undefined) {
      if (stageMs > timeouts.loginMs) this.end('login-timeout');
    } else if (this.#frameSince !== undefined) {
      const allowedMs = timeouts.frameMs + this.#reader.length / MIN_FRAME_BYTES_PER_MS;
      if (now - this.#frameSince > allowedMs) this.end('frame-timeout');
    } else if (now - this.#lastUsedAt > timeouts.idleMs) this.end('idle-timeout');
  }

  #isUnread(now: number): boolean {
    // TLS answers by itself too, to a client that asks for new keys.
    const bytes = Math.max(this.#socket.writableLength, this.#raw.writableLength);
    this.#unreadSince = bytes === 0 ? undefined : (this.#unreadSince ?? now);
    if (this.#unreadSince === undefined) return false;
    return now - this.#unreadSince > this.#options.timeouts.answerMs + bytes / MIN_ANSWER_BYTES_PER_MS;
  }

  #receive(chunk: Buffer): void {
    const { length } = chunk;
    this.#pieces += 1;
    const mayGoOn = this.#isKnown ? this.#allowance.take(length) : this.#pieces <= MAX_PIECES_BEFORE_LOGIN;
    if (!mayGoOn) {
      this.cut('too-many-pieces');
      return;
    }
    // What arrives while it ends is read and dropped: unread bytes would reset the connection below the last answer.
    if (this.#isEnding) return;
    this.#reader.push(chunk);
    if (this.#large?.add(length) === false) return;
    if (!this.#isRunning) this.#startNext();
    else if (this.#reader.length >= MAX_PIPELINED_BYTES) this.#socket.pause();
  }

  /** Headers of pipelined frames are read only here, since a login raises the limit. */
  #startNext(): void {
    const session = this.#session;
    if (!session || this.#isEnding) return;
    const frame = this.#takeFrame(session.registrar ? MAX_FRAME_BYTES : MAX_FRAME_BYTES_BEFORE_LOGIN);
    if (!frame) {
      if (session.registrar !== undefined && !this.#large && this.#reader.announced > LARGE_FRAME_BYTES) {
        this.#awaitLarge(session, session.registrar);
        return;
      }
      this.#frameSince = this.#reader.length === 0 ? undefined : (this.#frameSince ?? performance.now());
      this.#socket.resume();
      return;
    }
    this.#frameSince = undefined;
    this.#large?.complete();
    this.#isRunning = true;
    void this.#run(session, frame);
  }

  /** Nothing more is read before its turn, and its time does not run. */
  #awaitLarge(session: EppSession, registrar: string): void {
    this.#frameSince = undefined;
    this.#socket.pause();
    const large = this.#options.largeFrames.receive(registrar, {
      begin: () => {
        if (this.#large !== large || !large.add(this.#reader.length)) return;
        this.#frameSince = performance.now();
        this.#startNext();
      },
      refused: () => this.#refuseLarge(session),
    });
    this.#large = large;
  }

  #refuseLarge(session: EppSession): void {
    this.#endReason ??= 'frame-refused';
    this.#socket.write(encodeFrame(session.refuseFrame()));
    this.#finish();
  }

  #endLarge(): void {
    this.#large?.end();
    this.#large = undefined;
  }

  #takeFrame(maxBytes: number): Buffer | undefined {
    try {
      return this.#reader.next(maxBytes);
    } catch {
      this.cut('invalid-frame');
      return undefined;
    }
  }

  async #run(session: EppSession, frame: Buffer): Promise<void> {
    const answer = await session.handle(frame).catch(() => undefined);
    this.#reader.releaseTaken();
    const { registrar } = session;
    if (registrar !== undefined && !this.#isKnown) {
      this.#isKnown = true;
      this.#options.loggedIn(this, registrar);
    }
    this.#endLarge();
    if (!answer) this.cut('failed');
    else await this.#send(answer);
    // Pipelined commands that need no input or output must not keep other connections waiting.
    if (this.#reader.length > 0) await nextTurn();
    this.#isRunning = false;
    this.#lastUsedAt = performance.now();
    if (answer?.ends) this.#endReason ??= 'ended';
    if (this.#endReason === undefined) this.#startNext();
    else this.#finish();
  }

  /** Waits if the client does not read its answers, so that they do not accumulate. */
  async #send({ xml }: EppAnswer): Promise<void> {
    if (!this.#socket.writable || this.#socket.write(encodeFrame(xml)) || this.#isEnding) return;
    await new Promise<void>((resolve) => {
      this.#continueAfterDrain = resolve;
    });
    this.#continueAfterDrain = undefined;
  }

  #finish(): void {
    this.#isEnding = true;
    this.#stageSince = performance.now();
    this.#reader.clear();
    this.#endLarge();
    this.#socket.end();
    this.#socket.resume();
  }
}
