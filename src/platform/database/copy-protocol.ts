import pg from 'pg';

/** The parts of the driver's connection that a COPY uses. */
type Wire = {
  readonly stream: NodeJS.ReadWriteStream & { readonly writableNeedDrain: boolean };
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};
type Ended = (error?: Error) => void;

/** Rows arrive one by one and are passed on in blocks of this size. */
const BLOCK_BYTES = 256 * 1024;
/** Beyond this the socket is paused until the reader has caught up. */
const MAX_WAITING_BLOCKS = 8;

/** COPY … TO STDOUT as blocks of bytes, in bounded memory. */
export class CopyOut extends pg.Query {
  readonly #ended: Ended;
  #wire: Wire | undefined;
  #filling = Buffer.allocUnsafe(BLOCK_BYTES);
  #filled = 0;
  readonly #blocks: Buffer[] = [];
  #isOver = false;
  #wake = () => {};

  constructor(text: string, ended: Ended) {
    super(text);
    this.#ended = ended;
  }

  /** The driver reuses the memory of a chunk. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }, wire: Wire): void {
    this.#wire = wire;
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(this.#filling, this.#filled, from);
      from += copied;
      this.#filled += copied;
      if (this.#filled === BLOCK_BYTES) this.#pass();
    }
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#pass();
    this.#end();
  }

  async *blocks(): AsyncGenerator<Buffer> {
    for (;;) {
      const block = this.#blocks.shift();
      if (block) {
        if (this.#blocks.length < MAX_WAITING_BLOCKS) this.#wire?.stream.resume();
        yield block;
      } else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  #pass(): void {
    if (this.#filled === 0) return;
    this.#blocks.push(this.#filling.subarray(0, this.#filled));
    this.#filling = Buffer.allocUnsafe(BLOCK_BYTES);
    this.#filled = 0;
    if (this.#blocks.length >= MAX_WAITING_BLOCKS) this.#wire?.stream.pause();
    this.#wake();
  }

  #end(error?: Error): void {
    this.#isOver = true;
    this.#ended(error);
    this.#wake();
  }
}

/** COPY … FROM STDIN of a source of bytes; a source that fails makes the whole statement fail. */
export class CopyIn extends pg.Query {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #ended: Ended;
  #failure: Error | undefined;
  #isOver = false;

  constructor(text: string, source: AsyncIterable<Uint8Array>, ended: Ended) {
    super(text);
    this.#source = source;
    this.#ended = ended;
  }

  handleCopyInResponse(connection: Wire): void {
    void this.#send(connection);
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#isOver = true;
    this.#ended(this.#failure ?? error);
  }

  handleReadyForQuery(): void {
    this.#isOver = true;
    this.#ended(this.#failure);
  }

  async #send(wire: Wire): Promise<void> {
    try {
      for await (const chunk of this.#source) {
        if (this.#isOver) return;
        wire.sendCopyFromChunk(chunk);
        if (wire.stream.writableNeedDrain) await drained(wire.stream);
      }
      if (!this.#isOver) wire.endCopyFrom();
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      if (!this.#isOver) wire.sendCopyFail('the source failed');
    }
  }
}

/** Resolves when the socket accepts more, or is closed: then the statement itself fails. */
const drained = (stream: NodeJS.ReadWriteStream): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
