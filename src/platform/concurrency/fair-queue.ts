/** Thrown if the queue is full, or if the wait was too long. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

export type FairQueueBounds = {
  readonly atOnce: number;
  readonly perKey: number;
  readonly maxWaitingPerKey: number;
  readonly maxWaitMs: number;
};

type Waiter = { readonly start: () => void; readonly timer: NodeJS.Timeout | undefined };
type KeyQueue = { running: number; readonly waiting: Waiter[] };

/**
 * Runs work for many keys on few slots. One key never has more than its share of the slots, its further work is queued
 * within a bound, and a free slot goes to the keys in rotation: a long queue of one delays no other.
 */
export class FairQueue<Key> {
  readonly #bounds: FairQueueBounds;
  /** In rotation order: a key that releases a slot moves to the end. */
  readonly #queues = new Map<Key, KeyQueue>();
  #running = 0;

  constructor(bounds: FairQueueBounds) {
    this.#bounds = bounds;
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Work that was admitted before, such as the next page of a streamed answer, is queued without a bound. */
  async run<T>(key: Key, work: () => Promise<T>, { admitted = false } = {}): Promise<T> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] };
    this.#queues.set(key, queue);
    if (this.#hasSlotFor(queue)) this.#takeSlot(queue);
    else await this.#wait(queue, admitted);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      queue.running -= 1;
      this.#queues.delete(key);
      if (queue.running > 0 || queue.waiting.length > 0) this.#queues.set(key, queue);
      this.#startNext();
    }
  }

  #hasSlotFor(queue: KeyQueue): boolean {
    return this.#running < this.#bounds.atOnce && queue.running < this.#bounds.perKey;
  }

  #takeSlot(queue: KeyQueue): void {
    this.#running += 1;
    queue.running += 1;
  }

  #wait(queue: KeyQueue, admitted: boolean): Promise<void> {
    if (!admitted && queue.waiting.length >= this.#bounds.maxWaitingPerKey)
      return Promise.reject(new QueueFull('too many wait already'));
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        queue.waiting.splice(queue.waiting.indexOf(waiter), 1);
        reject(new QueueFull('the wait took too long'));
      };
      const waiter: Waiter = {
        start: resolve,
        timer: admitted ? undefined : setTimeout(giveUp, this.#bounds.maxWaitMs),
      };
      queue.waiting.push(waiter);
    });
  }

  /** The slot is taken here, before the waiter runs, so that a newcomer cannot take it in between. */
  #startNext(): void {
    for (const queue of this.#queues.values()) {
      const next = this.#hasSlotFor(queue) ? queue.waiting.shift() : undefined;
      if (!next) continue;
      clearTimeout(next.timer);
      this.#takeSlot(queue);
      next.start();
    }
  }
}
