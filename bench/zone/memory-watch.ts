import { memoryOf } from '../machine.ts';

const SAMPLE_INTERVAL_MS = 100;
/** Fewer say nothing of a trend. */
const MIN_SAMPLES = 30;

export type WatchedMemory = {
  /** The most that was held, in bytes. */
  readonly peak: number;
  /** The last third of the time to the third before it; undefined for a short time. */
  readonly rise: number | undefined;
};

/** Samples what a process holds while something goes on. */
export class MemoryWatch {
  readonly #samples: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#timer = setInterval(() => {
      const memory = memoryOf(pid);
      if (memory && memory.now > 0) this.#samples.push(memory.now);
    }, SAMPLE_INTERVAL_MS).unref();
  }

  end(): WatchedMemory {
    clearInterval(this.#timer);
    const third = Math.floor(this.#samples.length / 3);
    const isLong = this.#samples.length >= MIN_SAMPLES;
    const rise = medianOf(this.#samples.slice(-third)) / medianOf(this.#samples.slice(third, 2 * third));
    return { peak: Math.max(0, ...this.#samples), rise: isLong ? rise : undefined };
  }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
