import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject } from 'vitest';

/** An answer that a test has seen. */
type Observation = {
  readonly operation: string;
  readonly status: number;
  /** The code of the envelope; 0 where the API has none. */
  readonly code: number;
};

const noted = new Set<string>();

/** Notes an answer for the table of statuses, once for each test. */
export function noteObservation({ operation, status, code }: Observation): void {
  const test = expect.getState().currentTestName ?? '';
  const line = `${JSON.stringify({ operation, status, code, test })}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(path.join(inject('observations'), `${process.pid}.jsonl`), line);
}

/** `expect(actual).toBe(expected)`, which costs more than the request where it is said of every answer. */
export function requireSame<T>(actual: T, expected: T): void {
  if (actual !== expected) expect(actual).toBe(expected);
}

/** Fails where there is something to complain about. */
export function requireNone(complaints: readonly string[]): void {
  if (complaints.length > 0) expect(complaints).toEqual([]);
}
