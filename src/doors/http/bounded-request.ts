import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { http, ignoreBodyUntilClosed } from '../../platform/node-http.ts';

/** Of a body: a chunk may be a single byte, and each is a buffer until the body is whole. */
const MAX_PIECES = 4_096;

type Bounds = {
  /** Whether a body of this connection may have a piece of so many bytes. */
  readonly mayTake: (socket: Socket, bytes: number) => boolean;
  /** Told once for a request. */
  readonly tooManyPieces: (socket: Socket) => void;
};

/** Requests whose bodies arrive in a bounded number of pieces. */
export function boundedRequest({ mayTake, tooManyPieces }: Bounds): typeof IncomingMessage {
  return class extends http.IncomingMessage {
    #pieces = 0;
    #isRefused = false;

    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (chunk === null) return super.push(chunk);
      if (this.#isRefused) return false;
      this.#pieces += 1;
      if (this.#pieces <= MAX_PIECES && mayTake(this.socket, chunk.length))
        return super.push(chunk, encoding);
      this.#isRefused = true;
      ignoreBodyUntilClosed(this.socket);
      tooManyPieces(this.socket);
      return false;
    }

    /** No more is received of a body that was refused. */
    override _read(size: number): void {
      if (!this.#isRefused) super._read(size);
    }
  };
}
