import { currentDeadline, Deadline, DeadlineExceeded, withDeadline } from './deadline.ts';

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly deadline: Deadline | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * Items that come while others are under way are carried out together, as the next batch. Nobody waits for company:
 * where a place is free an item goes alone.
 */
export class Gathering<Item, Result> {
  readonly #carryOut: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #atOnce: number;
  readonly #largest: number;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  constructor(
    carryOut: (items: readonly Item[]) => Promise<readonly Result[]>,
    { atOnce, largest }: { readonly atOnce: number; readonly largest: number },
  ) {
    this.#carryOut = carryOut;
    this.#atOnce = atOnce;
    this.#largest = largest;
  }

  /** The item's own result; what fails fails for the whole batch. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, deadline: currentDeadline(), resolve, reject });
      this.#startBatch();
    });
  }

  #startBatch(): void {
    if (this.#running >= this.#atOnce || this.#waiting.length === 0) return;
    this.#running += 1;
    // Whatever arrives in the same turn of the event loop shares the batch.
    setImmediate(() => this.#run(this.#waiting.splice(0, this.#largest)));
  }

  async #run(waiting: readonly Waiting<Item, Result>[]): Promise<void> {
    const batch = waiting.filter(({ deadline, reject }) => {
      if (!deadline?.isOver) return true;
      reject(new DeadlineExceeded(deadline));
      return false;
    });
    try {
      const items = batch.map(({ item }) => item);
      const results =
        items.length === 0 ? [] : await withDeadline(earliest(batch), () => this.#carryOut(items));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#running -= 1;
      this.#startBatch();
    }
  }
}

/** Of its own, so that a client that leaves ends nothing for the others; they have come at about the same time. */
const earliest = (batch: readonly { readonly deadline: Deadline | undefined }[]): Deadline =>
  new Deadline(Math.min(...batch.map(({ deadline }) => deadline?.at ?? Number.POSITIVE_INFINITY)));
