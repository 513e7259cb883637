type Work = { readonly bytes: number; readonly start: () => void };
type KeyQueue = { isRunning: boolean; readonly waiting: Work[] };

/**
 * Work on bytes of which only so many may be under way at once: one work of each key, and the keys in rotation, so that a
 * key with much work delays the others by one work at most.
 */
export class ByteBudget<Key> {
  readonly #maxBytes: number;
  /** In rotation order: a key whose work has ended moves to the end. */
  readonly #queues = new Map<Key, KeyQueue>();
  #used = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What is larger than the whole budget is done alone. */
  async run<T>(key: Key, bytes: number, work: () => Promise<T>): Promise<T> {
    const counted = Math.min(bytes, this.#maxBytes);
    const queue = this.#queues.get(key) ?? { isRunning: false, waiting: [] };
    this.#queues.set(key, queue);
    await new Promise<void>((start) => {
      queue.waiting.push({ bytes: counted, start });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#used -= counted;
      queue.isRunning = false;
      this.#queues.delete(key);
      if (queue.waiting.length > 0) this.#queues.set(key, queue);
      this.#startNext();
    }
  }

  /** Nothing passes the first one that does not fit, which would otherwise wait forever. */
  #startNext(): void {
    for (const queue of this.#queues.values()) {
      const next = queue.isRunning ? undefined : queue.waiting[0];
      if (!next) continue;
      if (this.#used + next.bytes > this.#maxBytes) return;
      queue.waiting.shift();
      queue.isRunning = true;
      this.#used += next.bytes;
      next.start();
    }
  }
}
