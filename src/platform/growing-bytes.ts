const EMPTY: Buffer = Buffer.alloc(0);
/** The first buffer of what arrives in pieces; it doubles from there. */
const MIN_BUFFER_BYTES = 4_096;
/** From this size on the system takes memory back as soon as it is free: MALLOC_MMAP_THRESHOLD_ of the command. */
const LARGE_BUFFER_BYTES = 262_144;
/** Less is left to the garbage collector. */
const MIN_RELEASED_BYTES = 16_384;

/**
 * Bytes that arrive in pieces. The memory follows what has arrived, not what was announced, and each byte is copied a
 * constant number of times on average, however small the pieces are. What is no longer needed is given back at once: the
 * garbage collector does so after tens of megabytes only, which hostile senders fill in a moment.
 */
export class GrowingBytes {
  #buffer = EMPTY;
  #start = 0;
  #end = 0;
  /** Whether nobody else sees this memory. */
  #isOwn = false;
  /** The memory of what was taken last, if nothing else is in it. */
  #taken: Buffer | undefined;

  get length(): number {
    return this.#end - this.#start;
  }

  readUInt32BE(): number {
    return this.#buffer.readUInt32BE(this.#start);
  }

  /** The piece is empty from now on. `expected` are all that will be there, where that is known. */
  append(piece: Buffer, expected = 0): void {
    if (this.length === 0) {
      this.#buffer = piece;
      this.#start = 0;
      this.#end = piece.length;
      this.#isOwn = isWhole(piece);
      return;
    }
    if (this.#buffer.length - this.#end < piece.length) this.#grow(this.length + piece.length, expected);
    piece.copy(this.#buffer, this.#end);
    this.#end += piece.length;
    if (isWhole(piece)) release(piece);
  }

  /** The first ones. */
  take(bytes: number): Buffer {
    const taken = this.#buffer.subarray(this.#start, this.#start + bytes);
    this.#start += bytes;
    const isLast = this.length === 0;
    this.#taken = isLast && this.#isOwn ? this.#buffer : undefined;
    // What follows is in the same memory, which is left to the garbage collector.
    this.#isOwn = false;
    if (isLast) this.#forget();
    return taken;
  }

  /** What was taken last is no longer needed. */
  releaseTaken(): void {
    if (this.#taken) release(this.#taken);
    this.#taken = undefined;
  }

  /** Drops what has not been taken. */
  clear(): void {
    if (this.#isOwn) release(this.#buffer);
    this.#forget();
  }

  #forget(): void {
    this.#buffer = EMPTY;
    this.#start = 0;
    this.#end = 0;
    this.#isOwn = false;
  }

  #grow(needed: number, expected: number): void {
    const least = needed > MIN_RELEASED_BYTES ? LARGE_BUFFER_BYTES : MIN_BUFFER_BYTES;
    const capacity = Math.max(
      needed,
      Math.min(Math.max(2 * this.length, least), Math.max(expected, MIN_BUFFER_BYTES)),
    );
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(larger, 0, this.#start, this.#end);
    if (this.#isOwn) release(this.#buffer);
    this.#buffer = larger;
    this.#end = this.length;
    this.#start = 0;
    this.#isOwn = true;
  }
}

const isWhole = ({ buffer, length }: Buffer): boolean => length === buffer.byteLength;

/** Views of it are empty from now on. */
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= MIN_RELEASED_BYTES) buffer.transfer(0);
}
