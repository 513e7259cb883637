/** What a client may send at once, such as a frame in pieces of some bytes. */
const FREE_PIECES = 1_024;
/** Ten microseconds each, so that a session takes a hundredth of the time. */
const PIECES_PER_MS = 1;
/** Pieces of so many bytes are no sign of anything. */
const MIN_BYTES_PER_PIECE = 64;

/**
 * Judges the pieces in which a session's frames arrive, each a TLS record of its own, which may be a single byte. Whoever
 * types by hand, or writes each element by itself, has never as many.
 */
export class PieceAllowance {
  #excess = 0;
  #at: number;

  constructor(now = performance.now()) {
    this.#at = now;
  }

  /** False if it is one too many. */
  take(bytes: number, now = performance.now()): boolean {
    const rested = Math.max(0, this.#excess - (now - this.#at) * PIECES_PER_MS);
    this.#at = now;
    this.#excess = Math.max(0, rested + 1 - bytes / MIN_BYTES_PER_PIECE);
    return this.#excess <= FREE_PIECES;
  }
}
