/** Lets a few run, a few more wait, and turns the rest away at once. */
export class BoundedQueue {
  readonly #atOnce: number;
  readonly #waiting: (() => void)[] = [];
  readonly #mostWaiting: number;
  #running = 0;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Undefined, without a wait, when the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.#running < this.#atOnce) return this.#start(work);
    if (this.#waiting.length >= this.#mostWaiting) return undefined;
    return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#start(work));
  }

  async #start<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
