type Waiting<Item, Result> = {
  readonly item: Item;
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
      this.#waiting.push({ item, resolve, reject });
      this.#startBatch();
    });
  }

  #startBatch(): void {
    if (this.#running >= this.#atOnce || this.#waiting.length === 0) return;
    this.#running += 1;
    // Whatever arrives in the same turn of the event loop shares the batch.
    setImmediate(() => this.#run(this.#waiting.splice(0, this.#largest)));
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#carryOut(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#running -= 1;
      this.#startBatch();
    }
  }
}
