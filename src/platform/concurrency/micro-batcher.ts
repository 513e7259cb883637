import { currentDeadline, Deadline, DeadlineExceeded, withDeadline } from './deadline.ts';

type Queued<Item, Result> = {
  readonly item: Item;
  readonly deadline: Deadline | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
};
export type BatchLimits = { readonly maxConcurrent: number; readonly maxSize: number };

/** Never delays an item to fill a batch: batches form only behind running ones. */
export class MicroBatcher<Item, Result> {
  readonly #runBatch: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #limits: BatchLimits;
  #queue: Queued<Item, Result>[] = [];
  #running = 0;

  constructor(runBatch: (items: readonly Item[]) => Promise<readonly Result[]>, limits: BatchLimits) {
    this.#runBatch = runBatch;
    this.#limits = limits;
  }

  /** The item's own result; a failure is that of the whole batch. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, deadline: currentDeadline(), resolve, reject });
      this.#startBatch();
    });
  }

  #startBatch(): void {
    if (this.#running >= this.#limits.maxConcurrent || this.#queue.length === 0) return;
    this.#running += 1;
    // Items of the same turn of the event loop share the batch.
    setImmediate(() => this.#run(this.#queue.splice(0, this.#limits.maxSize)));
  }

  async #run(queued: readonly Queued<Item, Result>[]): Promise<void> {
    const batch = queued.filter(({ deadline, reject }) => {
      if (!deadline?.isOver) return true;
      reject(new DeadlineExceeded(deadline));
      return false;
    });
    try {
      const items = batch.map(({ item }) => item);
      const results =
        items.length === 0 ? [] : await withDeadline(earliest(batch), () => this.#runBatch(items));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#running -= 1;
      this.#startBatch();
    }
  }
}

/** The batch has its own deadline, so that a client that disconnects does not cancel the other members. */
const earliest = (batch: readonly { readonly deadline: Deadline | undefined }[]): Deadline =>
  new Deadline(Math.min(...batch.map(({ deadline }) => deadline?.at ?? Number.POSITIVE_INFINITY)));
