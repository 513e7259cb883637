const EMPTY: Buffer = Buffer.alloc(0);
/** The first buffer of what arrives in pieces; it doubles from there. */
const MIN_BUFFER_BYTES = 4_096;
/** Less is left to the garbage collector. */
const MIN_RELEASED_BYTES = 16_384;
/** Larger buffers grow in place, in memory of their own, which the system takes back as soon as it is released. */
const GROWTH_BYTES = 262_144;
/** Of addresses that such a buffer may have, whatever is announced. */
const MAX_RESERVED_BYTES = 16 * 1024 * 1024;

/**
 * Bytes that arrive in pieces. The memory follows what has arrived, not what was announced, and each byte is copied a
 * constant number of times on average, however small the pieces are. What is no longer needed is given back at once: the
 * garbage collector does so after tens of megabytes only, which hostile senders fill in a moment, and between what is
 * left in the heap of the C library nothing of it would return to the system.
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
    releasePiece(piece);
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
    if (this.#growInPlace(this.#start + needed)) return;
    const larger =
      needed > MIN_RELEASED_BYTES
        ? ownMemory(needed, Math.max(2 * needed, Math.min(expected, MAX_RESERVED_BYTES)))
        : Buffer.allocUnsafeSlow(Math.max(2 * needed, MIN_BUFFER_BYTES));
    this.#buffer.copy(larger, 0, this.#start, this.#end);
    if (this.#isOwn) release(this.#buffer);
    this.#buffer = larger;
    this.#end = this.length;
    this.#start = 0;
    this.#isOwn = true;
  }

  #growInPlace(end: number): boolean {
    const { buffer } = this.#buffer;
    if (!this.#isOwn || !(buffer instanceof ArrayBuffer) || end > buffer.maxByteLength) return false;
    buffer.resize(Math.min(end + GROWTH_BYTES, buffer.maxByteLength));
    this.#buffer = Buffer.from(buffer);
    return true;
  }
}

function ownMemory(bytes: number, maxBytes: number): Buffer {
  const memory = new ArrayBuffer(0, { maxByteLength: maxBytes });
  memory.resize(Math.min(bytes + GROWTH_BYTES, memory.maxByteLength));
  return Buffer.from(memory);
}

/** A piece that nobody reads any more, if nothing else is in its memory. */
export function releasePiece(piece: Buffer): void {
  if (isWhole(piece)) release(piece);
}

const isWhole = ({ buffer, length }: Buffer): boolean => length === buffer.byteLength;

/** Views of it are empty from now on. */
function release({ buffer }: Buffer): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < MIN_RELEASED_BYTES) return;
  if (buffer.resizable) buffer.resize(0);
  else buffer.transfer(0);
}
