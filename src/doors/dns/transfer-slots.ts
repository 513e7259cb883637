type Start = () => void;

/**
 * Limits transfers of whole zones, each of which holds a snapshot of the database. A secondary has one at a time, and
 * those that wait take turns by secondary: a slow one delays only itself as long as there are two slots. Connections
 * bound the queue, since each has one request at a time.
 */
export class TransferSlots {
  readonly #max: number;
  readonly #running = new Set<string>();
  /** By secondary, the one that has waited longest for a turn first. */
  readonly #waiting = new Map<string, Start[]>();

  constructor(max: number) {
    this.#max = max;
  }

  async run<T>(secondary: string, work: () => Promise<T>): Promise<T> {
    if (!this.#take(secondary)) await new Promise<void>((start) => this.#wait(secondary, start));
    try {
      return await work();
    } finally {
      this.#running.delete(secondary);
      this.#startNext();
    }
  }

  #take(secondary: string): boolean {
    if (this.#running.size >= this.#max || this.#running.has(secondary)) return false;
    this.#running.add(secondary);
    return true;
  }

  #wait(secondary: string, start: Start): void {
    const starts = this.#waiting.get(secondary);
    if (starts) starts.push(start);
    else this.#waiting.set(secondary, [start]);
  }

  #startNext(): void {
    for (const [secondary, starts] of this.#waiting) {
      if (!this.#take(secondary)) continue;
      this.#waiting.delete(secondary);
      const start = starts.shift();
      if (starts.length > 0) this.#waiting.set(secondary, starts);
      start?.();
      return;
    }
  }
}
