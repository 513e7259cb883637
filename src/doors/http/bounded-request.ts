import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { http } from '../../platform/node-http.ts';

/** Of a body: a chunk may be a single byte, and each is a buffer until the body is whole. */
const MAX_PIECES = 4_096;

/** Requests whose bodies arrive in a bounded number of pieces. */
export function boundedRequest(tooManyPieces: (socket: Socket) => void): typeof IncomingMessage {
  return class extends http.IncomingMessage {
    #pieces = 0;

    override push(chunk: unknown, encoding?: BufferEncoding): boolean {
      this.#pieces += 1;
      if (chunk === null || this.#pieces <= MAX_PIECES) return super.push(chunk, encoding);
      if (this.#pieces === MAX_PIECES + 1) tooManyPieces(this.socket);
      return false;
    }
  };
}
