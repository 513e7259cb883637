import { runInSpacedTurn } from './spaced-turn.ts';

/**
 * Runs one piece of work in a turn of the event loop, and the keys in rotation: much work of one key delays neither what
 * else the process does nor other keys.
 */
export class FairTurns<Key> {
  /** In rotation order: a key that had its turn moves to the end. */
  readonly #queues = new Map<Key, (() => void)[]>();

  run(key: Key, work: () => void): void {
    if (this.#queues.size === 0) runInSpacedTurn(() => this.#runNext());
    const queue = this.#queues.get(key);
    if (queue) queue.push(work);
    else this.#queues.set(key, [work]);
  }

  #runNext(): void {
    const [next] = this.#queues;
    if (!next) return;
    const [key, queue] = next;
    const work = queue.shift();
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
    if (this.#queues.size > 0) runInSpacedTurn(() => this.#runNext());
    work?.();
  }
}
