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

  /** The time begins anew, unless the client has left. */
  restart(ms: number): void {
    if (!this.isAbandoned) this.#at = performance.now() + ms;
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
