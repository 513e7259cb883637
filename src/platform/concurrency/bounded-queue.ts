/**
 * Lets a few run, a few more wait, and turns the rest away at once. Preferred work goes before all other that waits,
 * and has waiting places of its own that no other work can take.
 */
export class BoundedQueue {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #keptForPreferred: number;
  readonly #waiting: (() => void)[] = [];
  readonly #preferredWaiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, mostWaiting: number, keptForPreferred = 0) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
    this.#keptForPreferred = keptForPreferred;
  }

  /** Undefined, without a wait, when the queue is full. */
  run<T>(work: () => Promise<T>, { preferred = false } = {}): Promise<T> | undefined {
    if (this.#running < this.#atOnce) return this.#start(work);
    if (!this.#hasPlace(preferred)) return undefined;
    const line = preferred ? this.#preferredWaiting : this.#waiting;
    return new Promise<void>((resolve) => line.push(resolve)).then(() => this.#finish(work));
  }

  /** Preferred work may also wait where other work does not. */
  #hasPlace(preferred: boolean): boolean {
    if (!preferred) return this.#waiting.length < this.#mostWaiting;
    const all = this.#waiting.length + this.#preferredWaiting.length;
    return all < this.#mostWaiting + this.#keptForPreferred;
  }

  #start<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    return this.#finish(work);
  }

  /** The place of work that ends goes to the next in line; a newcomer cannot take it in between. */
  async #finish<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const next = this.#preferredWaiting.shift() ?? this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
