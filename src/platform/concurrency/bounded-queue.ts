/** What waits, the keys in rotation: much of one key delays no other key's. */
class RotatingQueue {
  /** In rotation order: a key that had its turn moves to the end. */
  readonly #queues = new Map<string, (() => void)[]>();
  length = 0;

  lengthOf(key: string): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  push(key: string, start: () => void): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(start);
    else this.#queues.set(key, [start]);
    this.length += 1;
  }

  shift(): (() => void) | undefined {
    for (const [key, queue] of this.#queues) {
      const start = queue.shift();
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      this.length -= 1;
      return start;
    }
    return undefined;
  }
}

type Options = {
  readonly preferred?: boolean;
  /** Whose work it is. */
  readonly key?: string;
};

/**
 * Runs a few tasks, queues a few more, and refuses the rest at once. Preferred tasks go to the front of the queue and
 * have reserved places in it. Those who wait take turns.
 */
export class BoundedQueue {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #reservedForPreferred: number;
  readonly #maxQueuedPerKey: number;
  readonly #queue = new RotatingQueue();
  readonly #preferredQueue = new RotatingQueue();
  #running = 0;

  constructor(
    maxRunning: number,
    maxQueued: number,
    reservedForPreferred = 0,
    maxQueuedPerKey = Number.POSITIVE_INFINITY,
  ) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
    this.#reservedForPreferred = reservedForPreferred;
    this.#maxQueuedPerKey = maxQueuedPerKey;
  }

  get waiting(): number {
    return this.#queue.length + this.#preferredQueue.length;
  }

  /** Undefined at once if the queue is full, or too much of this key is in it. */
  run<T>(work: () => Promise<T>, { preferred = false, key = '' }: Options = {}): Promise<T> | undefined {
    if (this.#running < this.#maxRunning) return this.#start(work);
    const queue = preferred ? this.#preferredQueue : this.#queue;
    if (!this.#hasPlace(preferred) || queue.lengthOf(key) >= this.#maxQueuedPerKey) return undefined;
    return new Promise<void>((resolve) => queue.push(key, resolve)).then(() => this.#finish(work));
  }

  /** Preferred tasks have additional places. */
  #hasPlace(preferred: boolean): boolean {
    if (!preferred) return this.#queue.length < this.#maxQueued;
    return this.waiting < this.#maxQueued + this.#reservedForPreferred;
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
