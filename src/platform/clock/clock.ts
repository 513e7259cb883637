/** The source of time: read once per operation, then passed on as a value. */
export type Clock = { now(): Date };

export const wallClock: Clock = { now: () => new Date() };

/** The sandbox's clock: the wall clock plus an offset that only grows. */
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

  /** Moves to `time`; a time in the past has no effect. */
  moveTo(time: Date): void {
    this.#aheadMs = Math.max(this.#aheadMs, time.getTime() - wallClock.now().getTime());
  }

  reset(): void {
    this.#aheadMs = 0;
  }
}
