import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a run of vitest leaves for the process that started it. */
export type RunResult = {
  /** Paths of test files, relative to the project. */
  readonly failed: readonly string[];
  /** Errors outside of any test, among them workers that died: they belong to no file. */
  readonly unhandled: number;
  readonly isComplete: boolean;
};

const FILE = path.join(import.meta.dirname, '../../coverage/run-result.json');

export const forgetRunResult = (): void => rmSync(FILE, { force: true });

export function writeRunResult(result: RunResult): void {
  mkdirSync(path.dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify(result));
}

/** Undefined where vitest ended before it could tell. */
export function readRunResult(): RunResult | undefined {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as RunResult;
  } catch {
    return undefined;
  }
}
