import type { Server } from 'node:net';

/**
 * Of a connection that this server accepts from now on nothing is read before it is resumed. HTTP servers do not take
 * Node's option for it.
 */
export function readNothingYet(server: Server): void {
  Object.assign(server, { pauseOnConnect: true });
}

/**
 * Of a connection that is paused, or waits for a reader, one piece is kept instead of 64 KB of pieces: a client may send
 * each byte by itself, and each is a turn of the event loop.
 */
export function keepOnePiece(server: Server): void {
  Object.assign(server, { highWaterMark: 1 });
}
