import { runInSpacedTurn } from './spaced-event-loop-turn.ts';

/** Work that cannot be divided and takes longer is followed by a pause, where that is asked for. */
const LONG_MS = 10;

type Options = {
  /** Of a turn of the event loop. */
  readonly msPerTurn: number;
  /** How many times as long as long work the pause after it is: with four, such work has a fifth of the time at most. */
  readonly pauseFactor?: number;
  /** Whether only the key pauses whose work it was. */
  readonly pausesKeyAlone?: boolean;
  readonly now?: () => number;
};

/**
 * Runs pieces of work at once while they take little time of a turn of the event loop, and beyond that as many as take
 * little time of a later one, the keys in rotation: much work of one key delays neither what else the process does nor
 * other keys.
 */
export class FairTurns<Key> {
  readonly #msPerTurn: number;
  readonly #pauseFactor: number;
  readonly #pausesKeyAlone: boolean;
  readonly #now: () => number;
  /** In rotation order: a key that had its turn moves to the end. */
  readonly #queues = new Map<Key, (() => void)[]>();
  /** What has come for keys that pause. */
  readonly #resting = new Map<Key, (() => void)[]>();
  #isScheduled = false;
  #restsUntil = 0;
  #isRunning = false;
  #usedMs = 0;

  constructor({
    msPerTurn,
    pauseFactor = 0,
    pausesKeyAlone = false,
    now = () => performance.now(),
  }: Options) {
    this.#msPerTurn = msPerTurn;
    this.#pauseFactor = pauseFactor;
    this.#pausesKeyAlone = pausesKeyAlone;
    this.#now = now;
  }

  run(key: Key, work: () => void): void {
    if (this.#isFree() && !this.#resting.has(key)) {
      if (this.#usedMs === 0) setImmediate(() => this.#beginTurn());
      this.#measure(key, work);
    } else this.runLater(key, work);
  }

  #isFree(): boolean {
    const { size } = this.#queues;
    return (
      size === 0 && !this.#isRunning && this.#usedMs < this.#msPerTurn && this.#now() >= this.#restsUntil
    );
  }

  runLater(key: Key, work: () => void): void {
    const resting = this.#resting.get(key);
    if (resting) {
      resting.push(work);
      return;
    }
    const queue = this.#queues.get(key);
    if (queue) queue.push(work);
    else this.#queues.set(key, [work]);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const run = () => {
      this.#isScheduled = false;
      this.#runWaiting();
    };
    const restMs = this.#restsUntil - this.#now();
    if (restMs > 0) setTimeout(run, restMs);
    else runInSpacedTurn(run);
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
        if (work) this.#measure(key, work);
      }
    } finally {
      if (this.#queues.size > 0) this.#schedule();
    }
  }

  #measure(key: Key, work: () => void): void {
    const startedAt = this.#now();
    this.#isRunning = true;
    try {
      work();
    } finally {
      this.#isRunning = false;
      const endedAt = this.#now();
      const ms = endedAt - startedAt;
      this.#usedMs += ms;
      if (ms > LONG_MS && this.#pauseFactor > 0) this.#pause(key, endedAt, this.#pauseFactor * ms);
    }
  }

  #pause(key: Key, now: number, ms: number): void {
    if (!this.#pausesKeyAlone) {
      this.#restsUntil = now + ms;
      return;
    }
    this.#resting.set(key, this.#queues.get(key) ?? []);
    this.#queues.delete(key);
    setTimeout(() => {
      const waiting = this.#resting.get(key) ?? [];
      this.#resting.delete(key);
      for (const work of waiting) this.runLater(key, work);
    }, ms);
  }
}
