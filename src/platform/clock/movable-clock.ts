import type { Sql } from '../sql/executor.ts';
import { sql } from '../sql/statement.ts';
import { type Clock, wallClock } from './clock.ts';

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

/** The sandbox's clock as it was when the process last ended. */
export async function storedClock(db: Sql): Promise<MovableClock> {
  const row = await db.one(sql<{ aheadMs: number }>`
    select (extract(epoch from clock_offset) * 1000)::float8 as "aheadMs" from installation`);
  return new MovableClock(row.aheadMs);
}

/** Moves the clock and stores its offset. */
export async function moveClock(db: Sql, clock: MovableClock, time: Date): Promise<void> {
  clock.moveTo(time);
  await db.run(sql`update installation set clock_offset = ${clock.aheadMs} * interval '1 millisecond'`);
}
