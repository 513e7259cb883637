import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Ninety TLS records of a single byte, each of which takes some ten microseconds. */
const SLICE_BYTES = 2_048;
/** In one turn; the rest waits for the next one. */
const MS_PER_TURN = 1;

type Options = {
  /** Calls back when it is the turn of this stream, which has received so many bytes. */
  readonly awaitTurn: (read: () => void, received: number) => void;
  /** Whether so many bytes may be received, or handed on; the socket is closed otherwise. */
  readonly mayReceive?: (bytes: number) => boolean;
  readonly mayHandOn?: (bytes: number) => boolean;
};

const always = () => true;

/**
 * A socket that is read in small slices, each when it is its turn. TLS decrypts what it is given as a whole, however many
 * records that is, and of a socket it takes up to half a megabyte at once. A short command takes 25 µs longer by it.
 */
export class SlicedStream extends Duplex {
  readonly #socket: Socket;
  readonly #awaitTurn: Options['awaitTurn'];
  readonly #mayReceive: (bytes: number) => boolean;
  readonly #mayHandOn: (bytes: number) => boolean;
  /** Received and not handed on. The socket is paused meanwhile. */
  #unread: Buffer | undefined;
  #isWanted = false;
  #isWaiting = false;
  #hasEnded = false;
  #received = 0;
  #handedOn = 0;

  constructor(socket: Socket, { awaitTurn, mayReceive = always, mayHandOn = always }: Options) {
    // A reader that has paused is given one slice more.
    super({ readableHighWaterMark: 1 });
    this.#socket = socket;
    this.#awaitTurn = awaitTurn;
    this.#mayReceive = mayReceive;
    this.#mayHandOn = mayHandOn;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.#end());
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#isWanted = true;
    this.#requestTurn();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Buffer): void {
    this.#received += chunk.length;
    if (!this.#mayReceive(this.#received)) {
      this.destroy();
      return;
    }
    this.#unread = chunk;
    this.#requestTurn();
    if (this.#unread) this.#socket.pause();
  }

  #end(): void {
    this.#hasEnded = true;
    if (!this.#unread) this.push(null);
  }

  #requestTurn(): void {
    if (!this.#unread || !this.#isWanted || this.#isWaiting || this.destroyed) return;
    this.#isWaiting = true;
    this.#awaitTurn(() => {
      this.#isWaiting = false;
      this.#handOn();
    }, this.#received);
  }

  #handOn(): void {
    const until = performance.now() + MS_PER_TURN;
    while (this.#unread && this.#isWanted && !this.destroyed) {
      const slice = this.#unread.subarray(0, SLICE_BYTES);
      this.#handedOn += slice.length;
      if (!this.#mayHandOn(this.#handedOn)) {
        this.destroy();
        return;
      }
      this.#unread = slice.length < this.#unread.length ? this.#unread.subarray(slice.length) : undefined;
      this.#isWanted = this.push(slice);
      if (performance.now() > until) break;
    }
    if (this.#unread) this.#requestTurn();
    else if (this.#hasEnded) this.push(null);
    else if (this.#socket.isPaused()) this.#socket.resume();
  }
}
