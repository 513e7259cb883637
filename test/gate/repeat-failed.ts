import path from 'node:path';
import { NEVER_REPEATED } from './lanes.ts';
import type { RunResult } from './run-result.ts';

/** What a run of vitest left, and its exit code. */
export type EndedRun = RunResult & { readonly code: number };

/** More files than these do not fail by chance. */
const MAX_REPEATED = 5;

/** Runs the files, all of the lane if there are none, and tells what vitest left. */
export type RunFiles = (files: readonly string[]) => Promise<EndedRun | undefined>;

export type Verdict = {
  readonly isGreen: boolean;
  /** Files that failed among the others and passed alone. */
  readonly unstable: readonly string[];
  /** Why nothing was repeated, where something failed. */
  readonly reason: string | undefined;
};

/** Runs a lane; each file that failed is run once more, alone, after all others. */
export async function runRepeatingFailed(run: RunFiles): Promise<Verdict> {
  const first = await run([]);
  const reason = checkRepeatable(first);
  if (first === undefined || reason !== undefined) return { isGreen: false, unstable: [], reason };
  const unstable: string[] = [];
  for (const file of first.failed) {
    const again = await run([file]);
    if (again?.code !== 0) return { isGreen: false, unstable, reason };
    unstable.push(file);
  }
  return { isGreen: true, unstable, reason };
}

/** Why a run is red whatever a repetition would say. */
function checkRepeatable(result: EndedRun | undefined): string | undefined {
  if (result === undefined) return 'vitest ended without a result';
  if (!result.isComplete) return 'not every file was run';
  if (result.failed.length === 0 && result.code !== 0) return `vitest ended with ${result.code}`;
  if (result.unhandled > 0) return 'an error outside of any test belongs to no file';
  if (result.failed.length > MAX_REPEATED) return `${result.failed.length} files failed`;
  const once = result.failed.filter(isNeverRepeated);
  return once.length > 0 ? `never repeated: ${once.join(', ')}` : undefined;
}

const isNeverRepeated = (file: string): boolean =>
  NEVER_REPEATED.some((pattern) => path.matchesGlob(file, pattern));
