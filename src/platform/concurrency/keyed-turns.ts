/** Serialises work per key; refuses it if the queue of the key is too long. */
export class KeyedTurns {
  readonly #mostWaiting: number;
  readonly #lines = new Map<string, { last: Promise<unknown>; length: number }>();

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** Undefined at once if the queue of this key is full. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    const line = this.#lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > this.#mostWaiting) return undefined;
    line.length += 1;
    const turn = line.last.then(work, work);
    line.last = turn;
    this.#lines.set(key, line);
    const leave = () => {
      line.length -= 1;
      if (line.length === 0) this.#lines.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  }
}
