import { onTestFinished } from './this-test.ts';

const TICK_MS = 10;

/**
 * The milliseconds since the call as this process has seen them pass: while a busy machine lets it wait for a processor,
 * none do. For upper bounds, which then stand for what the program does and not for what else runs on the machine.
 */
export function runningTime(): () => number {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  onTestFinished(() => clearInterval(timer));
  return () => ticks * TICK_MS;
}

/** How long some work took in running time, and how it ended: what it returned, or its error. */
export async function timed(work: Promise<unknown>): Promise<{ ms: number; outcome: unknown }> {
  const passed = runningTime();
  const outcome = await work.catch((error: unknown) => error);
  return { ms: passed(), outcome };
}

/** The milliseconds of processor time that a computation took. */
export function computed(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
