import { AsyncLocalStorage } from 'node:async_hooks';

/** Whoever asked can no longer hear the answer, so what was not begun is not begun any more. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';
  readonly code = 'DEADLINE_EXCEEDED';
  readonly hasClientLeft: boolean;
  constructor(deadline: Deadline) {
    super(deadline.isAbandoned ? 'the client has left' : 'the deadline of the request has passed');
    this.hasClientLeft = deadline.isAbandoned;
  }
}

/** Until when an answer can still be heard, on the monotonic clock of this process. */
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

  /** The client has left. */
  abandon(): void {
    this.#at = Number.NEGATIVE_INFINITY;
  }

  /** The answer has begun: it takes as long as the client takes to read it. */
  lift(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }
}

/** An AsyncLocalStorage, so that no operation has to hand the deadline on to be bound by it. */
const deadlines = new AsyncLocalStorage<Deadline | undefined>();

/** The deadline of the work under way; jobs and commands have none. */
export const currentDeadline = (): Deadline | undefined => deadlines.getStore();

export const withDeadline = <T>(deadline: Deadline | undefined, work: () => T): T =>
  deadlines.run(deadline, work);

/** For what must be completed once it was begun, such as writing down what another service has done. */
export const withoutDeadline = <T>(work: () => T): T => deadlines.run(undefined, work);

export function requireTime(deadline = currentDeadline()): void {
  if (deadline?.isOver) throw new DeadlineExceeded(deadline);
}
