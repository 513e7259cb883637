/** Where time comes from: asked once per operation, handed on as a value. */
export type Clock = { now(): Date };

export const wallClock: Clock = { now: () => new Date() };

/** The sandbox's clock: the wall clock plus a distance that only grows. */
export class MovableClock implements Clock {
  #aheadMs: number;

  constructor(aheadMs: number) {
    this.#aheadMs = aheadMs;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  now(): Date {
    return new Date(wallClock.now().getTime() + this.#aheadMs);
  }

  /** Stands at `time` now; a time already past leaves the clock where it is. */
  moveTo(time: Date): void {
    this.#aheadMs = Math.max(this.#aheadMs, time.getTime() - wallClock.now().getTime());
  }

  reset(): void {
    this.#aheadMs = 0;
  }
}
