import { runInSpacedTurn } from './spaced-event-loop-turn.ts';

/** Runs one piece of work of each key in a turn of the event loop: the work of one key delays no other's. */
export class RoundTurns<Key> {
  readonly #queues = new Map<Key, (() => void)[]>();

  runLater(key: Key, work: () => void): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(work);
    else this.#queues.set(key, [work]);
    if (!queue && this.#queues.size === 1) runInSpacedTurn(() => this.#runRound());
  }

  #runRound(): void {
    try {
      for (const [key, queue] of this.#queues) {
        const work = queue.shift();
        if (queue.length === 0) this.#queues.delete(key);
        work?.();
      }
    } finally {
      if (this.#queues.size > 0) runInSpacedTurn(() => this.#runRound());
    }
  }
}
