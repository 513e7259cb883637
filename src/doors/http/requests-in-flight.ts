type Bounds = { readonly maxTotal: number; readonly maxPerAddress: number };

/**
 * Counts the requests that this process works on, in all and per client address. A request counts while the work is
 * ours: not while its body is on its way, and not while its answer waits for the client to read it.
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

  /** Whether one more from this address would be one too many. */
  isFull(address: string): boolean {
    return (
      this.#total >= this.#bounds.maxTotal ||
      (this.#perAddress.get(address) ?? 0) >= this.#bounds.maxPerAddress
    );
  }

  /** Counts a request until the returned function is called; calling it again does nothing. */
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
