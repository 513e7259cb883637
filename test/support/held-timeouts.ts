import { vi } from 'vitest';
import { onTestFinished } from './this-test.ts';

const FALLBACK_MS = 20_000;

/**
 * Replaces the time limits of requests (`AbortSignal.timeout`) by ones that end when the test says so: on a busy machine
 * a short one may end before the request has arrived. Requests of others that the test does not end have their time, and
 * at least twenty seconds. Not for tests that run at the same time as others.
 */
export function holdTimeouts(): { readonly limits: readonly number[]; readonly expire: () => void } {
  const limits: number[] = [];
  const held: AbortController[] = [];
  const begin = AbortSignal.timeout.bind(AbortSignal);
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    limits.push(milliseconds);
    held.push(controller);
    return AbortSignal.any([controller.signal, begin(Math.max(milliseconds, FALLBACK_MS))]);
  });
  onTestFinished(() => timeouts.mockRestore());
  return {
    /** What was asked for, in milliseconds. */
    limits,
    /** Ends those that have begun. */
    expire: () => {
      const over = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
      for (const controller of held.splice(0)) controller.abort(over);
    },
  };
}
