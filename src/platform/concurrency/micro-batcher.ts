import { Deadline, DeadlineExceeded } from './deadline.ts';
import { currentDeadline, withDeadline } from '../work-scope.ts';

type Queued<Item, Result> = {
  readonly item: Item;
  readonly deadline: Deadline | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
};

const MAX_CONCURRENT = 2;
/** A batch takes at most half of the waiting items, or this many. */
const MIN_SHARE = 8;
/** A batch that takes longer waits for a lock, a disk or a network, and not for a processor. */
export const SLOW_BATCH_MS = 10;

/**
 * Never delays an item to fill a batch: batches form only behind a running one. A batch leaves items for the next, so
 * that this process works while the database does; a second one runs at the same time only if the first is slow.
 */
export class MicroBatcher<Item, Result> {
  readonly #runBatch: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #maxSize: number;
  #queue: Queued<Item, Result>[] = [];
  #isStarting = false;
  #running = 0;
  #slow = 0;

  constructor(runBatch: (items: readonly Item[]) => Promise<readonly Result[]>, maxSize: number) {
    this.#runBatch = runBatch;
    this.#maxSize = maxSize;
  }

  /** The item's own result; a failure is that of the whole batch. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, deadline: currentDeadline(), resolve, reject });
      this.#startBatch();
    });
  }

  #startBatch(): void {
    if (this.#isStarting || this.#queue.length === 0) return;
    if (this.#running > this.#slow || this.#running === MAX_CONCURRENT) return;
    this.#isStarting = true;
    // Items of the same turn of the event loop share the batch.
    setImmediate(() => {
      this.#isStarting = false;
      const share = Math.max(MIN_SHARE, Math.ceil(this.#queue.length / 2));
      void this.#run(this.#queue.splice(0, Math.min(share, this.#maxSize)));
    });
  }

  async #run(queued: readonly Queued<Item, Result>[]): Promise<void> {
    this.#running += 1;
    let isSlow = false;
    const slow = setTimeout(() => {
      isSlow = true;
      this.#slow += 1;
      this.#startBatch();
    }, SLOW_BATCH_MS);
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
      clearTimeout(slow);
      if (isSlow) this.#slow -= 1;
      this.#running -= 1;
      this.#startBatch();
    }
  }
}

/** What {@link MicroBatcher} does, with a batcher for each key, such as a database. */
export function batchedBy<Key extends object, Item, Result>(
  runBatch: (key: Key, items: readonly Item[]) => Promise<readonly Result[]>,
  maxSize: number,
): (key: Key, item: Item) => Promise<Result> {
  const batchers = new WeakMap<Key, MicroBatcher<Item, Result>>();
  return (key, item) => {
    const batcher = batchers.get(key) ?? new MicroBatcher((items) => runBatch(key, items), maxSize);
    batchers.set(key, batcher);
    return batcher.add(item);
  };
}

/** The batch has its own deadline, so that a client that disconnects does not cancel the other members. */
const earliest = (batch: readonly { readonly deadline: Deadline | undefined }[]): Deadline =>
  new Deadline(Math.min(...batch.map(({ deadline }) => deadline?.at ?? Number.POSITIVE_INFINITY)));
