/**
 * Runs a few tasks, queues a few more, and refuses the rest at once. Preferred tasks go to the front of the queue and
 * have reserved places in it.
 */
export class BoundedQueue {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #reservedForPreferred: number;
  readonly #queue: (() => void)[] = [];
  readonly #preferredQueue: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number, maxQueued: number, reservedForPreferred = 0) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
    this.#reservedForPreferred = reservedForPreferred;
  }

  get waiting(): number {
    return this.#queue.length + this.#preferredQueue.length;
  }

  /** Undefined at once if the queue is full. */
  run<T>(work: () => Promise<T>, { preferred = false } = {}): Promise<T> | undefined {
    if (this.#running < this.#maxRunning) return this.#start(work);
    if (!this.#hasPlace(preferred)) return undefined;
    const queue = preferred ? this.#preferredQueue : this.#queue;
    return new Promise<void>((resolve) => queue.push(resolve)).then(() => this.#finish(work));
  }

  /** Preferred tasks have additional places. */
  #hasPlace(preferred: boolean): boolean {
    if (!preferred) return this.#queue.length < this.#maxQueued;
    const all = this.#queue.length + this.#preferredQueue.length;
    return all < this.#maxQueued + this.#reservedForPreferred;
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
      const next = this.#preferredQueue.shift() ?? this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
