import { AsyncLocalStorage } from 'node:async_hooks';

/** The client can no longer receive the answer, so no further work is started. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';
  readonly code = 'DEADLINE_EXCEEDED';
  readonly hasClientLeft: boolean;
  constructor(deadline: Deadline) {
    super(deadline.isAbandoned ? 'the client has left' : 'the deadline of the request has passed');
    this.hasClientLeft = deadline.isAbandoned;
  }
}

/** The latest time of an answer, on the monotonic clock of this process. */
export class Deadline {
  #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  static in(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  get at(): number {
    return this.#at;
  }

  get isOver(): boolean {
    return performance.now() >= this.#at;
  }

  get isAbandoned(): boolean {
    return this.#at === Number.NEGATIVE_INFINITY;
  }

  /** The client has disconnected. */
  abandon(): void {
    this.#at = Number.NEGATIVE_INFINITY;
  }

  /** The answer has begun: it takes as long as the client needs to read it. */
  lift(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }
}

/** An AsyncLocalStorage, so that operations need not pass the deadline on. */
const deadlines = new AsyncLocalStorage<Deadline | undefined>();

/** The deadline of the current work; jobs and commands have none. */
export const currentDeadline = (): Deadline | undefined => deadlines.getStore();

export const withDeadline = <T>(deadline: Deadline | undefined, work: () => T): T =>
  deadlines.run(deadline, work);

/** For work that must be completed once begun, such as recording what another service has done. */
export const withoutDeadline = <T>(work: () => T): T => deadlines.run(undefined, work);

export function requireTime(deadline = currentDeadline()): void {
  if (deadline?.isOver) throw new DeadlineExceeded(deadline);
}
