import { Readable } from 'node:stream';
import { FairTurns } from '../../platform/concurrency/fair-turns.ts';

const SLICE_BYTES = 16_384;

/** In which slices are handed on: encrypting one takes some twenty microseconds, and thousands may be wanted at once. */
const turns = new FairTurns<SlicedAnswer>({ msPerTurn: 1 });

/**
 * An answer that exists once, however many clients are sent it, and that is handed to their connections in slices as they
 * read them: TLS would encrypt it as a whole, and keep that for each client that does not read.
 */
export class SlicedAnswer extends Readable {
  readonly #bytes: Buffer;
  #sent = 0;

  constructor(bytes: Buffer) {
    super({ highWaterMark: 1 });
    this.#bytes = bytes;
  }

  override _read(): void {
    turns.runLater(this, () => {
      if (this.destroyed) return;
      const slice = this.#bytes.subarray(this.#sent, this.#sent + SLICE_BYTES);
      this.#sent += slice.length;
      this.push(slice.length > 0 ? slice : null);
    });
  }
}
