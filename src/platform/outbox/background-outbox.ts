import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, type Outbox } from './outbox.ts';

type Options<Item> = {
  readonly maxConcurrent: number;
  /** Called when what came of an attempt could not be recorded: it is made again when its claim expires. */
  readonly unrecorded: (item: Item, error: unknown) => void;
};

/** How long a run waits for attempts under way before it leaves them to the next one. */
const SLOW_ATTEMPT_MS = 250;
/** Attempts that end within this time are followed by one claim. */
const CLAIM_INTERVAL_MS = 10;
/** A run that always finds more ends all the same, so that its record shows that it works. */
const MAX_RUN_MS = 5_000;
const STOP_TIMEOUT_MS = 5_000;

/**
 * Sends items of an outbox whose recipients are many and strangers: attempts outlive the run that started them, so that
 * one that hangs delays neither the run nor the others.
 */
export class BackgroundOutbox<Item, Receipt> {
  readonly #outbox: Outbox<Item, Receipt>;
  readonly #options: Options<Item>;
  readonly #underWay = new Map<Item, Promise<void>>();
  readonly #stopped = new AbortController();

  constructor(outbox: Outbox<Item, Receipt>, options: Options<Item>) {
    this.#outbox = outbox;
    this.#options = options;
  }

  /** Starts what is due, or becomes so meanwhile; resolves when nothing more can be started and what is under way takes long. */
  async run(now: Date): Promise<void> {
    const time = clockFrom(now);
    const end = now.getTime() + MAX_RUN_MS;
    for (let current = now; current.getTime() < end; current = time()) {
      await this.#claim(current);
      if (this.#underWay.size === 0) return;
      const late = sleep(SLOW_ATTEMPT_MS, 'late', { ref: false });
      if ((await Promise.race([...this.#underWay.values(), late])) === 'late') return;
      await sleep(CLAIM_INTERVAL_MS);
    }
  }

  /** Waits a while for attempts under way. Those that are cut off are made again when their claims expire. */
  async stop(): Promise<void> {
    const ended = Promise.allSettled(this.#underWay.values());
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.#stopped.abort();
    await ended;
  }

  async #claim(now: Date): Promise<void> {
    if (this.#underWay.size >= this.#options.maxConcurrent) return;
    for (const item of await this.#outbox.claim(now, [...this.#underWay.keys()])) {
      const ended = attempt(this.#outbox, item, clockFrom(now), this.#stopped.signal)
        .catch((error: unknown) => this.#options.unrecorded(item, error))
        .finally(() => this.#underWay.delete(item));
      this.#underWay.set(item, ended);
    }
  }
}

/** The clock of the registry, however long something takes. */
function clockFrom(now: Date): () => Date {
  const startedAt = performance.now();
  return () => new Date(now.getTime() + Math.round(performance.now() - startedAt));
}
