/**
 * Runs a few tasks, queues a few more, and refuses the rest at once. Preferred tasks go to the front of the queue and
 * have reserved places in it.
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

  /** Undefined at once if the queue is full. */
  run<T>(work: () => Promise<T>, { preferred = false } = {}): Promise<T> | undefined {
    if (this.#running < this.#atOnce) return this.#start(work);
    if (!this.#hasPlace(preferred)) return undefined;
    const line = preferred ? this.#preferredWaiting : this.#waiting;
    return new Promise<void>((resolve) => line.push(resolve)).then(() => this.#finish(work));
  }

  /** Preferred tasks have additional places. */
  #hasPlace(preferred: boolean): boolean {
    if (!preferred) return this.#waiting.length < this.#mostWaiting;
    const all = this.#waiting.length + this.#preferredWaiting.length;
    return all < this.#mostWaiting + this.#keptForPreferred;
  }

  #start<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    return this.#finish(work);
  }

  /** The slot passes directly to the next queued task, so that a newcomer cannot take it in between. */
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
