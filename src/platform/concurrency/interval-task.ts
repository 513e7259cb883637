import type { Logger } from '../logging.ts';
import { causeOf, RepeatedFailures } from '../repeated-failures.ts';

/** Repeated work that never overlaps itself; a failure is logged, while it lasts at intervals, and the work repeated. */
export class IntervalTask {
  readonly #name: string;
  readonly #intervalMs: number;
  readonly #run: () => Promise<void>;
  readonly #log: Logger;
  readonly #failures = new RepeatedFailures();
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(name: string, intervalMs: number, log: Logger, run: () => Promise<void>) {
    this.#name = name;
    this.#intervalMs = intervalMs;
    this.#run = run;
    this.#log = log;
  }

  start(): this {
    this.#timer = setTimeout(() => {
      this.#underWay = this.#run()
        .then(
          () => this.#failures.end(this.#name),
          (error: unknown) => this.#reportFailure(error),
        )
        .then(() => {
          if (!this.#stopped) this.start();
        });
    }, this.#intervalMs).unref();
    return this;
  }

  /** Resolves when the current run has ended; at once if there is none. */
  settled(): Promise<void> {
    return this.#underWay;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#underWay;
  }

  #reportFailure(error: unknown): void {
    const repeated = this.#failures.add(this.#name, causeOf(error));
    if (repeated !== undefined)
      this.#log.warn(
        { err: error, task: this.#name, repeated: repeated || undefined },
        'periodic task failed',
      );
  }
}
