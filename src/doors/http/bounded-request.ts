import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { releasePiece } from '../../platform/growing-bytes.ts';
import { http, ignoreBodyUntilClosed } from '../../platform/node-http.ts';

/** Of a body: a chunk may be a single byte, and each is a buffer until the body is whole. */
const MAX_PIECES = 4_096;

/** Of larger bodies one piece is read in a turn, which has up to 64 KB. */
const LARGE_BODY_BYTES = 32_768;

type Bounds = {
  /** Whether a body of this connection may have a piece of so many bytes. */
  readonly mayTake: (socket: Socket, bytes: number) => boolean;
  /** Told once for a request. */
  readonly tooManyPieces: (socket: Socket) => void;
  /** Whether so many more bytes of the body are to be kept. */
  readonly mayKeep: (request: BoundedRequest, bytes: number) => boolean;
  /** The whole body has arrived. */
  readonly received: (request: BoundedRequest) => void;
  /** Calls back when it is the turn of its sender. */
  readonly awaitTurn: (request: BoundedRequest, read: () => void) => void;
};

export type BoundedRequest = IncomingMessage & {
  /** What has arrived of the body is dropped, and what will be; whoever reads it gets this error. */
  refuseBody(error: Error): void;
};

/** A request that gives the memory of what nobody reads of its body back at once. */
class ReleasingRequest extends http.IncomingMessage {
  /** The lengths of the pieces that have arrived before somebody reads them. */
  readonly #unread: number[] = [];

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk !== null && this.listenerCount('data') === 0) this.#unread.push(chunk.length);
    return super.push(chunk, encoding);
  }

  /** Of a client that has gone before its turn. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.dropUnread();
    super._destroy(error, done);
  }

  /** The garbage collector frees the pieces of thousands of requests only once they are hundreds of megabytes. */
  dropUnread(): void {
    if (this.listenerCount('data') > 0) return;
    for (const length of this.#unread.splice(0)) {
      const piece = this.read(length);
      if (piece) releasePiece(piece);
    }
  }
}

/** Requests whose bodies arrive in a bounded number of pieces, and are kept within a budget. */
export function boundedRequest(bounds: Bounds): typeof IncomingMessage {
  return class extends ReleasingRequest {
    #pieces = 0;
    #bytes = 0;
    #isEnded = false;
    #isWaiting = false;
    #isDropped = false;
    #error: Error | undefined;

    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (chunk === null) {
        bounds.received(this);
        return super.push(chunk);
      }
      if (this.#isEnded) return false;
      this.#pieces += 1;
      if (this.#pieces > MAX_PIECES || !bounds.mayTake(this.socket, chunk.length)) {
        this.#isEnded = true;
        ignoreBodyUntilClosed(this.socket);
        bounds.tooManyPieces(this.socket);
        return false;
      }
      this.#bytes += chunk.length;
      // A client reads its answer after it has sent its body: what is dropped is received nevertheless.
      if (this.#isDropped || !bounds.mayKeep(this, chunk.length)) {
        releasePiece(chunk);
        this.#readInTurn();
        return false;
      }
      return super.push(chunk, encoding);
    }

    refuseBody(error: Error): void {
      this.#isDropped = true;
      this.#error = error;
      this.dropUnread();
      this.#tellReader();
    }

    /** Node's name for it: the request is answered, and nobody reads on. Its own keeps each further piece as garbage. */
    _dump(): void {
      this.#isDropped = true;
      this.removeAllListeners('data');
      this.dropUnread();
      this.resume();
    }

    /** Readers do so once they listen. */
    override resume(): this {
      super.resume();
      this.#tellReader();
      return this;
    }

    #tellReader(): void {
      const error = this.#error;
      if (!error || this.listenerCount('data') === 0 || this.listenerCount('error') === 0) return;
      this.#error = undefined;
      process.nextTick(() => this.emit('error', error));
    }

    /** No more is received of a body in too many pieces. */
    override _read(size: number): void {
      if (this.#isEnded) return;
      if (this.#bytes < LARGE_BODY_BYTES) super._read(size);
      else this.#readInTurn();
    }

    #readInTurn(): void {
      if (this.#isWaiting) return;
      this.#isWaiting = true;
      bounds.awaitTurn(this, () => {
        this.#isWaiting = false;
        if (!this.#isEnded) super._read(0);
      });
    }
  };
}
