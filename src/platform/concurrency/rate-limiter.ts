export type Allowance = {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly secondsToReset: number;
};
type Window = { startedAt: number; count: number };
/** A counted event that can still be released, such as an attempt that turns out not to be limited. */
export type Reservation = Allowance & { readonly release: () => void };

const MINUTE_MS = 60_000;
const MAX_KEYS = 100_000;

type Options<Key> = {
  /** A minute if left out. */
  readonly windowMs?: number | undefined;
  /** Is told of what each `take` counts, so that other processes can `add` it. */
  readonly onTake?: (key: Key, count: number) => void;
};

/** Counts events per key in windows of monotonic time. */
export class RateLimiter<Key> {
  /** Events per window. */
  readonly limit: number;
  readonly #windowMs: number;
  readonly #windows = new Map<Key, Window>();

  readonly #onTake: Options<Key>['onTake'];

  constructor(limit: number, { windowMs = MINUTE_MS, onTake }: Options<Key> = {}) {
    this.limit = limit;
    this.#windowMs = windowMs;
    this.#onTake = onTake;
  }

  /**
   * Counts an event as `cost` and returns whether it is within the limit; if not, it counts as one. One that costs more
   * than the limit is allowed in an unused window.
   */
  take(key: Key, cost = 1): Allowance {
    const window = this.#window(key);
    const whole = Math.min(cost, this.limit);
    const allowed = window.count + whole <= this.limit;
    const counted = allowed ? whole : 1;
    window.count += counted;
    this.#onTake?.(key, counted);
    return this.#allowance(window, allowed);
  }

  /** Counts events that another process has taken. */
  add(key: Key, count: number): void {
    this.#window(key).count += count;
  }

  /**
   * Counts one event in advance if it is within the limit, so that concurrent events cannot exceed it. A release
   * uncounts it in the window in which it was counted.
   */
  reserve(key: Key): Reservation {
    const looked = this.peek(key);
    if (!looked.allowed) return { ...looked, release: () => {} };
    const window = this.#window(key);
    window.count += 1;
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      window.count -= 1;
      // Clients choose the keys: one without a count must not use memory.
      if (window.count === 0 && this.#windows.get(key) === window) this.#windows.delete(key);
    };
    return { ...this.#allowance(window, true), release };
  }

  /** Whether one more event would be within the limit, without counting it. */
  peek(key: Key): Allowance {
    const window = this.#current(key) ?? newWindow();
    return this.#allowance(window, window.count < this.limit);
  }

  #current(key: Key): Window | undefined {
    const known = this.#windows.get(key);
    return known && performance.now() - known.startedAt < this.#windowMs ? known : undefined;
  }

  #window(key: Key): Window {
    const known = this.#current(key);
    if (known) return known;
    const fresh = newWindow();
    if (!this.#windows.has(key) && this.#windows.size >= MAX_KEYS) this.#dropEnded(fresh.startedAt);
    this.#windows.set(key, fresh);
    return fresh;
  }

  #allowance({ startedAt, count }: Window, allowed: boolean): Allowance {
    const secondsToReset = Math.max(1, Math.ceil((startedAt + this.#windowMs - performance.now()) / 1000));
    return { allowed, remaining: Math.max(0, this.limit - count), secondsToReset };
  }

  /** Clients choose the keys (addresses, usernames), so their number is bounded. */
  #dropEnded(now: number): void {
    for (const [key, window] of this.#windows) {
      if (now - window.startedAt >= this.#windowMs) this.#windows.delete(key);
    }
    if (this.#windows.size >= MAX_KEYS) this.#windows.clear();
  }
}

/** What a guard needs of a limiter. */
export type RequestLimiter<Key> = Pick<RateLimiter<Key>, 'take' | 'peek' | 'limit'>;

const newWindow = (): Window => ({ startedAt: performance.now(), count: 0 });

/** Makes the limiters of an installation's requests: per minute, unless another window is given. */
export type RateLimits = {
  limiter(name: string, limit: number, windowMs?: number): RateLimiter<string | number>;
};

/** Where one process serves, it has nobody to share with. */
export const ownRateLimits: RateLimits = {
  limiter: (_name, limit, windowMs) => new RateLimiter(limit, { windowMs }),
};
