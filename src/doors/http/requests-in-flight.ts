type Bounds = { readonly maxTotal: number; readonly maxPerAddress: number };

/**
 * Counts the requests in flight, in total and per client address. Excludes the time in which a body arrives or an
 * answer waits for the client to read it.
 */
export class RequestsInFlight {
  readonly #bounds: Bounds;
  readonly #perAddress = new Map<string, number>();
  #total = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get total(): number {
    return this.#total;
  }

  /** Whether one more request from this address would exceed a limit. */
  isFull(address: string): boolean {
    return (
      this.#total >= this.#bounds.maxTotal ||
      (this.#perAddress.get(address) ?? 0) >= this.#bounds.maxPerAddress
    );
  }

  /** Counts a request until the returned function is called; further calls have no effect. */
  enter(address: string): () => void {
    this.#total += 1;
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#total -= 1;
      const left = (this.#perAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#perAddress.set(address, left);
      else this.#perAddress.delete(address);
    };
  }
}
