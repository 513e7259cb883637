/** Counts events per key in windows of one minute, measured by a clock that nobody sets. */
export type Allowance = {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly secondsToReset: number;
};
type Window = { startedAt: number; count: number };

const WINDOW_MS = 60_000;
const MOST_KEYS = 100_000;

export class RateLimiter<Key> {
  readonly perMinute: number;
  readonly #windows = new Map<Key, Window>();

  constructor(perMinute: number) {
    this.perMinute = perMinute;
  }

  /** Counts one event and tells whether it is within the limit. */
  take(key: Key): Allowance {
    const window = this.#window(key);
    window.count += 1;
    return this.#allowance(window, window.count <= this.perMinute);
  }

  /** Tells, without counting, whether one more would be within the limit. */
  look(key: Key): Allowance {
    const window = this.#window(key);
    return this.#allowance(window, window.count < this.perMinute);
  }

  #window(key: Key): Window {
    const now = performance.now();
    const known = this.#windows.get(key);
    if (known && now - known.startedAt < WINDOW_MS) return known;
    if (!known && this.#windows.size >= MOST_KEYS) this.#dropEnded(now);
    const fresh = { startedAt: now, count: 0 };
    this.#windows.set(key, fresh);
    return fresh;
  }

  #allowance({ startedAt, count }: Window, allowed: boolean): Allowance {
    const secondsToReset = Math.max(1, Math.ceil((startedAt + WINDOW_MS - performance.now()) / 1000));
    return { allowed, remaining: Math.max(0, this.perMinute - count), secondsToReset };
  }

  /** Keys come from outside (addresses, usernames): their number stays bounded. */
  #dropEnded(now: number): void {
    for (const [key, window] of this.#windows) {
      if (now - window.startedAt >= WINDOW_MS) this.#windows.delete(key);
    }
    if (this.#windows.size >= MOST_KEYS) this.#windows.clear();
  }
}
