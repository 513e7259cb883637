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
type Line = { running: number; readonly waiting: Waiter[] };

/**
 * Runs work for many keys on few slots. One key never has more than its share of the slots, its further work is queued
 * within a bound, and a free slot goes to the keys in rotation: a long queue of one delays no other.
 */
export class FairQueue<Key> {
  readonly #bounds: FairQueueBounds;
  /** In rotation order: a key that releases a slot moves to the end. */
  readonly #lines = new Map<Key, Line>();
  #running = 0;

  constructor(bounds: FairQueueBounds) {
    this.#bounds = bounds;
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Work that was admitted before, such as the next page of a streamed answer, is queued without a bound. */
  async run<T>(key: Key, work: () => Promise<T>, { admitted = false } = {}): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (this.#hasPlaceFor(line)) this.#takePlace(line);
    else await this.#wait(line, admitted);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      line.running -= 1;
      this.#lines.delete(key);
      if (line.running > 0 || line.waiting.length > 0) this.#lines.set(key, line);
      this.#startNext();
    }
  }

  #hasPlaceFor(line: Line): boolean {
    return this.#running < this.#bounds.atOnce && line.running < this.#bounds.perKey;
  }

  #takePlace(line: Line): void {
    this.#running += 1;
    line.running += 1;
  }

  #wait(line: Line, admitted: boolean): Promise<void> {
    if (!admitted && line.waiting.length >= this.#bounds.maxWaitingPerKey)
      return Promise.reject(new QueueFull('too many wait already'));
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        line.waiting.splice(line.waiting.indexOf(waiter), 1);
        reject(new QueueFull('the wait took too long'));
      };
      const waiter: Waiter = {
        start: resolve,
        timer: admitted ? undefined : setTimeout(giveUp, this.#bounds.maxWaitMs),
      };
      line.waiting.push(waiter);
    });
  }

  /** The slot is taken here, before the waiter runs, so that a newcomer cannot take it in between. */
  #startNext(): void {
    for (const line of this.#lines.values()) {
      const next = this.#hasPlaceFor(line) ? line.waiting.shift() : undefined;
      if (!next) continue;
      clearTimeout(next.timer);
      this.#takePlace(line);
      next.start();
    }
  }
}
