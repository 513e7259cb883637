import { runInSpacedTurn } from './spaced-turn.ts';

/**
 * Runs pieces of work at once while they take little time of a turn of the event loop, and beyond that as many as take
 * little time of a later one, the keys in rotation: much work of one key delays neither what else the process does nor
 * other keys.
 */
export class FairTurns<Key> {
  readonly #msPerTurn: number;
  readonly #now: () => number;
  /** In rotation order: a key that had its turn moves to the end. */
  readonly #queues = new Map<Key, (() => void)[]>();
  #isScheduled = false;
  #isRunning = false;
  #usedMs = 0;

  constructor(msPerTurn: number, now: () => number = () => performance.now()) {
    this.#msPerTurn = msPerTurn;
    this.#now = now;
  }

  run(key: Key, work: () => void): void {
    if (this.#queues.size === 0 && !this.#isRunning && this.#usedMs < this.#msPerTurn) {
      if (this.#usedMs === 0) setImmediate(() => this.#beginTurn());
      this.#measure(work);
    } else this.runLater(key, work);
  }

  runLater(key: Key, work: () => void): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(work);
    else this.#queues.set(key, [work]);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    runInSpacedTurn(() => {
      this.#isScheduled = false;
      this.#runWaiting();
    });
  }

  #beginTurn(): void {
    this.#usedMs = 0;
  }

  #runWaiting(): void {
    this.#beginTurn();
    try {
      for (const [key, queue] of this.#queues) {
        if (this.#usedMs >= this.#msPerTurn) return;
        const work = queue.shift();
        this.#queues.delete(key);
        if (queue.length > 0) this.#queues.set(key, queue);
        if (work) this.#measure(work);
      }
    } finally {
      if (this.#queues.size > 0) this.#schedule();
    }
  }

  #measure(work: () => void): void {
    const startedAt = this.#now();
    this.#isRunning = true;
    try {
      work();
    } finally {
      this.#isRunning = false;
      this.#usedMs += this.#now() - startedAt;
    }
  }
}
