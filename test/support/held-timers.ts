import { vi } from 'vitest';
import { onTestFinished } from './this-test.ts';

/**
 * Timers of one delay, which is longer than any test, run out when the test says so. All others go on: a registry that
 * the test files of a worker share would lose its own timers with fake ones, and its jobs with them.
 */
export function holdTimers(delayMs: number): { readonly runOut: () => void } {
  const held = new Map<unknown, () => void>();
  const { setTimeout: begin, clearTimeout: end } = globalThis;
  const hold = (callback: (...values: unknown[]) => void, delay?: number, ...values: unknown[]) => {
    const timer = begin(callback, delay, ...values);
    if (delay === delayMs) held.set(timer, () => callback(...values));
    return timer;
  };
  const begun = vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof setTimeout);
  const ended = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer);
    end(timer);
  });
  onTestFinished(() => {
    begun.mockRestore();
    ended.mockRestore();
  });
  return {
    runOut: () => {
      for (const [timer, callback] of [...held]) {
        globalThis.clearTimeout(timer as NodeJS.Timeout);
        callback();
      }
    },
  };
}
