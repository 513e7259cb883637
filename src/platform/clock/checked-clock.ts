import type { Logger } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import type { Sql } from '../sql/executor.ts';
import { sql } from '../sql/statement.ts';
import { type Clock, wallClock } from './clock.ts';

/** The clocks of this machine and of the database disagree, so time-dependent work is refused. */
export class ClockWrong extends Error {
  override name = 'ClockWrong';
}

/** The machine's wall clock, which can be set, and its monotonic clock. Both in milliseconds. */
export type MachineTime = { wall(): number; monotonic(): number };
const machineTime: MachineTime = {
  wall: () => wallClock.now().getTime(),
  monotonic: () => performance.now(),
};

type Options = {
  readonly readDatabaseTime: () => Promise<Date>;
  readonly maxOffsetMs: number;
  /** Called when the clock becomes wrong, and when it is right again. */
  readonly onChange?: (isRight: boolean, description: string) => void;
  readonly time?: MachineTime;
};

/** Both clocks at one moment. */
type Comparison = {
  readonly wall: number;
  readonly monotonic: number;
  /** The offset of the wall clock from the database's: the best estimate, and the minimum. */
  readonly offsetMs: number;
  readonly leastOffsetMs: number;
};

const ATTEMPTS = 5;
/** A worker compares before it claims a job, unless the last comparison is this recent. */
const MAX_COMPARISON_AGE_MS = 1_000;

/**
 * The wall clock, compared with the database's. Between two comparisons the monotonic clock predicts the wall clock, so
 * that a clock that was set is detected at the next reading, without a statement.
 */
export class CheckedClock implements Clock {
  readonly #options: Options;
  readonly #time: MachineTime;
  #last: Comparison | undefined;
  #comparing: Promise<boolean> | undefined;
  #wasRight = true;

  private constructor(options: Options) {
    this.#options = options;
    this.#time = options.time ?? machineTime;
  }

  /** Compares once; see `isRight` for the result. */
  static async open(options: Options): Promise<CheckedClock> {
    const clock = new CheckedClock(options);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) if (await clock.compare()) return clock;
    throw new ClockWrong(
      `The clock cannot be held against the database's: its answers take longer than the ${options.maxOffsetMs} ms that MAX_CLOCK_OFFSET_MS allows.`,
    );
  }

  /** Throws ClockWrong if the wall clock is off. */
  now(): Date {
    const wall = this.#time.wall();
    if (this.#evaluate(wall)) return new Date(wall);
    // A resumed machine has the right time, but looks like one whose clock was set.
    void this.compare().catch(() => undefined);
    throw new ClockWrong(this.describe());
  }

  isRight(): boolean {
    return this.#evaluate(this.#time.wall());
  }

  /** The same by a new comparison, before work that depends heavily on the clock. */
  async isRightByNow(): Promise<boolean> {
    const age = this.#time.monotonic() - (this.#last?.monotonic ?? Number.NEGATIVE_INFINITY);
    if (age > MAX_COMPARISON_AGE_MS || !this.isRight()) await this.compare();
    return this.isRight();
  }

  /** The offset of the wall clock from the database's, in milliseconds. */
  get offsetMs(): number {
    return this.#last ? this.#last.offsetMs + this.#drift(this.#last, this.#time.wall()) : Number.NaN;
  }

  /** Both times, and the remedy. */
  describe(): string {
    const [here, offset] = [this.#time.wall(), this.offsetMs];
    const [apart, side] = [Math.abs(offset), offset < 0 ? 'behind' : 'ahead of'];
    const shown = apart < 10_000 ? `${Math.round(apart)} ms` : `${Math.round(apart / 1000)} s`;
    return [
      `The clock of this machine is ${shown} ${side} the database's:`,
      `here it is ${new Date(here).toISOString()}, there ${new Date(here - offset).toISOString()}.`,
      `MAX_CLOCK_OFFSET_MS allows ${this.#options.maxOffsetMs} ms.`,
      'One of the two machines is wrong: let both follow a time server (NTP).',
    ].join(' ');
  }

  /** Reads the database's time; false if the round trip was too slow to be conclusive. */
  compare(): Promise<boolean> {
    this.#comparing ??= this.#measure().finally(() => {
      this.#comparing = undefined;
    });
    return this.#comparing;
  }

  async #measure(): Promise<boolean> {
    const sentAt = this.#time.monotonic();
    const database = (await this.#options.readDatabaseTime()).getTime();
    const [wall, monotonic] = [this.#time.wall(), this.#time.monotonic()];
    const roundTripMs = monotonic - sentAt;
    if (roundTripMs > this.#options.maxOffsetMs) return false;
    // The database read its clock during the round trip: the true offset lies between these two.
    const [least, most] = [wall - database - roundTripMs, wall - database];
    this.#last = {
      wall,
      monotonic,
      offsetMs: (least + most) / 2,
      leastOffsetMs: least > 0 ? least : Math.min(most, 0),
    };
    this.#evaluate(this.#time.wall());
    return true;
  }

  #evaluate(wall: number): boolean {
    const last = this.#last;
    const isRight =
      last !== undefined &&
      Math.abs(last.leastOffsetMs + this.#drift(last, wall)) <= this.#options.maxOffsetMs;
    if (isRight !== this.#wasRight) {
      this.#wasRight = isRight;
      this.#options.onChange?.(isRight, this.describe());
    }
    return isRight;
  }

  /** The movement of the wall clock against monotonic time since the comparison. */
  #drift(last: Comparison, wall: number): number {
    return wall - last.wall - (this.#time.monotonic() - last.monotonic);
  }
}

export const databaseTime = (db: Sql) => async (): Promise<Date> =>
  (await db.one(sql<{ at: Date }>`select clock_timestamp() as at`)).at;

export const clockAlert =
  (log: Logger) =>
  (isRight: boolean, description: string): void => {
    if (isRight) log.warn('the clock is right again: work goes on');
    else log.error({ clock: description }, 'the clock is wrong: nothing that depends on time is done');
  };

export function registerClockMetrics(metrics: Metrics, clock: CheckedClock): void {
  metrics.watch(
    'cadastre_clock_offset_seconds',
    "How far this process's clock is ahead of the database's",
    () => clock.offsetMs / 1000,
  );
  metrics.watch(
    'cadastre_clock_wrong',
    'Whether this process does nothing that depends on time because the clocks disagree',
    () => (clock.isRight() ? 0 : 1),
  );
}
