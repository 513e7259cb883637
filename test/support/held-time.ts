import { vi } from 'vitest';
import { onTestFinished } from './this-test.ts';

/**
 * Stops the monotonic clock of this process until the test ends. Time limits that are looked after by it pass when the
 * test says so, and never because the machine is busy. Not for tests that run at the same time as others, nor for long
 * ones that write: the database refuses what begins two seconds late by its own clock.
 */
export function holdTime(): { readonly pass: (milliseconds: number) => void } {
  let now = Math.ceil(performance.now());
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return {
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
}
