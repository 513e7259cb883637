import { GrowingBytes } from '../../../platform/growing-bytes.ts';

/** RFC 5734: four bytes with the length of the whole frame, then the document. */
const HEADER_BYTES = 4;

/** The announced length is below the minimum or above the limit. What follows cannot be read as frames. */
export class InvalidFrame extends Error {
  override name = 'InvalidFrame';
}

/** Frames of a stream. */
export class FrameReader {
  readonly #bytes = new GrowingBytes();

  /** Bytes that have arrived and belong to no frame that was taken. */
  get length(): number {
    return this.#bytes.length;
  }

  /** The length of the next frame, as its header announces it; 0 until that has arrived. */
  get announced(): number {
    return this.length < HEADER_BYTES ? 0 : this.#bytes.readUInt32BE();
  }

  push(chunk: Buffer): void {
    this.#bytes.append(chunk, this.announced);
  }

  /** The document of the next frame; undefined until it has arrived. The limit is that of the moment. */
  next(maxBytes: number): Buffer | undefined {
    if (this.length < HEADER_BYTES) return undefined;
    const bytes = this.announced;
    if (bytes <= HEADER_BYTES || bytes > maxBytes) throw new InvalidFrame(`a frame of ${bytes} bytes`);
    if (this.length < bytes) return undefined;
    return this.#bytes.take(bytes).subarray(HEADER_BYTES);
  }

  /** The document that was taken last is no longer needed. */
  releaseTaken(): void {
    this.#bytes.releaseTaken();
  }

  clear(): void {
    this.#bytes.clear();
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
