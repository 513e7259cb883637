import type { Socket } from 'node:net';
import type { ConnectionUsage } from '../../platform/concurrency/connection-limits.ts';
import { MAX_QUERY_BYTES } from './answer-query.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Behind the query. Up to here it is read and dropped: unread bytes would reset the connection below the answer. */
const MAX_DROPPED_BYTES = 65_536;

export type WhoisTimeouts = {
  /** From the connection to the end of the query, whatever the client sends. */
  readonly queryMs: number;
  /** From the query to its answer. */
  readonly answerMs: number;
  /** From the answer to the end of the connection, however slowly the client reads. */
  readonly readMs: number;
};

type Options = {
  readonly timeouts: WhoisTimeouts;
  readonly answer: (query: Buffer, address: string) => Promise<string>;
};

/** One query and its answer (RFC 3912). It has no timers of its own: the server calls `sweep` for all. */
export class WhoisConnection {
  /** The client's; behind a proxy the one that the proxy has told. */
  address: string;
  /** What the limits count it as; undefined for a proxy that speaks for itself. */
  bucket: string | undefined;
  isCounted = false;
  readonly #socket: Socket;
  readonly #options: Options;
  #stage: 'query' | 'answer' | 'read' = 'query';
  #stageSince = performance.now();
  #received: Buffer = Buffer.alloc(0);
  #droppedBytes = 0;
  #endReason: string | undefined;

  constructor(socket: Socket, address: string, options: Options) {
    this.#socket = socket;
    this.address = address;
    this.#options = options;
  }

  get usage(): ConnectionUsage {
    return { isProtected: this.#stage === 'answer', isAuthenticated: false, lastUsedAt: this.#stageSince };
  }

  /** Undefined if the client left before its answer. */
  get endReason(): string | undefined {
    return this.#endReason;
  }

  /** Starts to read the query, behind the header of a proxy. */
  open(): void {
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    // A client may close its side behind the query, or instead of a line end.
    this.#socket.on('end', () => {
      if (this.#stage !== 'query') return;
      if (this.#received.length === 0) this.#socket.end();
      else void this.#answer(this.#received);
    });
    this.#socket.resume();
  }

  /** A query that is being answered is answered first. */
  drain(): void {
    if (this.#stage === 'query') this.cut('drained');
  }

  cut(reason: string): void {
    this.#endReason ??= reason;
    this.#socket.destroy();
  }

  sweep(now: number): void {
    const { queryMs, answerMs, readMs } = this.#options.timeouts;
    const stageMs = now - this.#stageSince;
    if (this.#stage === 'query') {
      if (stageMs > queryMs) this.cut('query-timeout');
    } else if (this.#stage === 'answer') {
      if (stageMs > answerMs) this.cut('answer-timeout');
    } else if (stageMs > readMs) this.cut('slow-reader');
  }

  #receive(chunk: Buffer): void {
    if (this.#stage !== 'query') {
      this.#droppedBytes += chunk.length;
      if (this.#droppedBytes > MAX_DROPPED_BYTES) this.cut('flood');
      return;
    }
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(LINE_FEED);
    if (end < 0 && this.#received.length <= MAX_QUERY_BYTES) return;
    void this.#answer(end < 0 ? this.#received : this.#received.subarray(0, end));
  }

  async #answer(line: Buffer): Promise<void> {
    this.#enter('answer');
    this.#received = Buffer.alloc(0);
    const query = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    const text = await this.#options.answer(query, this.address).catch(() => undefined);
    if (this.#socket.destroyed) return;
    if (text === undefined) return this.cut('failed');
    this.#enter('read');
    this.#socket.end(text, () => {
      this.#endReason ??= 'answered';
    });
  }

  #enter(stage: 'answer' | 'read'): void {
    this.#stage = stage;
    this.#stageSince = performance.now();
  }
}
