import type { Writable } from 'node:stream';
import type { TestContext } from 'vitest';

export type KeptLog = {
  readonly sink: Writable;
  /** Every line that was not forgotten. */
  readonly logged: () => string;
  /** Of the lines so far, with those that were forgotten. */
  readonly count: () => number;
  /** The lines that followed that many. */
  readonly since: (count: number) => readonly string[];
  /** What a registry logged for one file is nothing to the next one, and would be kept as long as the worker. */
  readonly forget: () => void;
};

/** The logs of the registries that run in this worker. */
export const logs = new Set<KeptLog>();

/** Where the test fails, what registries logged meanwhile as a warning or worse, and what they answered with 5xx, is printed. */
export function printWarningsIfFailed({ onTestFailed }: TestContext): void {
  // Only counted here: this is done for every test, whatever was logged before it.
  const before = new Map(Array.from(logs, (log) => [log, log.count()]));
  onTestFailed(() => {
    for (const log of logs)
      for (const line of log.since(before.get(log) ?? 0))
        if (/"level":[4-6]0|"status":5/.test(line)) process.stderr.write(line);
  });
}
