/** RFC 5734: four bytes with the length of the whole frame, then the document. */
const HEADER_BYTES = 4;
/** The first buffer of a frame that arrives in pieces; it doubles from there. */
const MIN_BUFFER_BYTES = 4_096;
const EMPTY: Buffer = Buffer.alloc(0);

/** The announced length is below the minimum or above the limit. What follows cannot be read as frames. */
export class InvalidFrame extends Error {
  override name = 'InvalidFrame';
}

/**
 * Frames of a stream. Its memory follows what has arrived, not what a header announces, and each byte is copied a
 * constant number of times on average, however small the pieces are.
 */
export class FrameReader {
  #buffer = EMPTY;
  #start = 0;
  #end = 0;

  /** Bytes that have arrived and belong to no frame that was taken. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** The length of the next frame, as its header announces it; 0 until that has arrived. */
  get announced(): number {
    return this.length < HEADER_BYTES ? 0 : this.#buffer.readUInt32BE(this.#start);
  }

  push(chunk: Buffer): void {
    if (this.length === 0) {
      this.#buffer = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      return;
    }
    if (this.#buffer.length - this.#end < chunk.length) this.#grow(this.length + chunk.length);
    chunk.copy(this.#buffer, this.#end);
    this.#end += chunk.length;
  }

  /** The document of the next frame; undefined until it has arrived. The limit is that of the moment. */
  next(maxBytes: number): Buffer | undefined {
    if (this.length < HEADER_BYTES) return undefined;
    const bytes = this.#buffer.readUInt32BE(this.#start);
    if (bytes <= HEADER_BYTES || bytes > maxBytes) throw new InvalidFrame(`a frame of ${bytes} bytes`);
    if (this.length < bytes) return undefined;
    const frame = this.#buffer.subarray(this.#start + HEADER_BYTES, this.#start + bytes);
    this.#start += bytes;
    if (this.length === 0) this.#buffer = EMPTY;
    return frame;
  }

  clear(): void {
    this.#buffer = EMPTY;
    this.#start = 0;
    this.#end = 0;
  }

  #grow(needed: number): void {
    const { length } = this;
    const announced = length < HEADER_BYTES ? 0 : this.#buffer.readUInt32BE(this.#start);
    const doubled = Math.min(2 * length, Math.max(announced, MIN_BUFFER_BYTES));
    const larger = Buffer.allocUnsafeSlow(Math.max(MIN_BUFFER_BYTES, needed, doubled));
    this.#buffer.copy(larger, 0, this.#start, this.#end);
    this.#buffer = larger;
    this.#start = 0;
    this.#end = length;
  }
}

/** Header and document in one buffer, so that they leave in one write. */
export function encodeFrame(document: string): Buffer {
  const bytes = HEADER_BYTES + Buffer.byteLength(document);
  const frame = Buffer.allocUnsafe(bytes);
  frame.writeUInt32BE(bytes);
  frame.write(document, HEADER_BYTES);
  return frame;
}
