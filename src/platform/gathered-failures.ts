import type { Logger } from './logging.ts';
import { causeOf } from './repeated-failures.ts';

/** What fails for one cause fails within this time of each other. */
const GATHERING_MS = 1_000;

export type LaneFailure = {
  readonly error: unknown;
  /** The jobs of the lane that failed. */
  readonly jobs: readonly string[];
  /** How many equal failures of it were not logged. */
  readonly repeated: number;
};

/** Failures of several lanes with the same cause are one line in the log: an outage is one cause. */
export class GatheredFailures {
  readonly #log: Logger;
  readonly #task: string;
  readonly #gathered = new Map<string, LaneFailure[]>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger, task: string) {
    this.#log = log;
    this.#task = task;
  }

  add(failure: LaneFailure): void {
    const cause = causeOf(failure.error);
    this.#gathered.set(cause, [...(this.#gathered.get(cause) ?? []), failure]);
    this.#timer ??= setTimeout(() => this.flush(), GATHERING_MS).unref();
  }

  /** Logs what was gathered, at the latest when the process ends. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const failures of this.#gathered.values()) {
      const repeated = failures.reduce((sum, failure) => sum + failure.repeated, 0);
      const jobs = failures.flatMap((failure) => failure.jobs);
      this.#log.warn(
        {
          err: failures[0]?.error,
          task: this.#task,
          lanes: failures.length,
          jobs,
          repeated: repeated || undefined,
        },
        'periodic task failed',
      );
    }
    this.#gathered.clear();
  }
}
