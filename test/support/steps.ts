import { Session } from 'node:inspector/promises';

export type Effort = {
  /** Executed blocks of JavaScript, ours and that of packages: the same in every run. */
  readonly steps: number;
  /** Of this thread, in which native code is counted too. */
  readonly processorMs: number;
};

/** Counts what a piece of work does, by the precise coverage of V8. */
export class StepCounter {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  static async start(): Promise<StepCounter> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return new StepCounter(session);
  }

  async effortOf(work: () => unknown): Promise<Effort> {
    await this.#take();
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    return { steps: await this.#take(), processorMs: (user + system) / 1_000 };
  }

  async stop(): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }

  /** The counts since they were last taken. */
  async #take(): Promise<number> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    let steps = 0;
    for (const { functions } of result)
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    return steps;
  }
}
