/** Work on bytes of which only so many may be under way at once; the rest waits in its order. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  #used = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What is larger than the whole budget is done alone. */
  async run<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const counted = Math.min(bytes, this.#maxBytes);
    if (this.#waiting.length > 0 || this.#used + counted > this.#maxBytes)
      await new Promise<void>((start) => this.#waiting.push({ bytes: counted, start }));
    else this.#used += counted;
    try {
      return await work();
    } finally {
      this.#used -= counted;
      this.#startNext();
    }
  }

  #startNext(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (!next || this.#used + next.bytes > this.#maxBytes) return;
      this.#waiting.shift();
      this.#used += next.bytes;
      next.start();
    }
  }
}
