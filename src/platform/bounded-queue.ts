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
    return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#finish(work));
  }

  #start<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    return this.#finish(work);
  }

  /** Whoever ends hands his place to the next in line; a newcomer cannot take it in between. */
  async #finish<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
