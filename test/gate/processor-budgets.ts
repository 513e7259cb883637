import { DEFAULT_SECONDS, secondsOf } from './file-seconds.ts';

/** Of the worker and of the processes that the file started; not of PostgreSQL, which all files share. */
export type FileTime = { readonly file: string; readonly ms: number };

/** On a busy machine the same work takes more of the processor, but not twice as much. */
const TOLERANCE = 2;

/** The files that took too much, one sentence each. */
export function checkBudgets(times: readonly FileTime[]): string[] {
  return times.flatMap(({ file, ms }) => {
    const budget = Math.max(secondsOf(file), DEFAULT_SECONDS);
    const seconds = ms / 1000;
    return seconds > TOLERANCE * budget
      ? [`${file} took ${seconds.toFixed(1)} s of the processor; its budget is ${budget} s`]
      : [];
  });
}

/** Milliseconds of each folder, the largest first. */
export function timeByFolder(times: readonly FileTime[]): [string, number][] {
  const folders = new Map<string, number>();
  for (const { file, ms } of times) {
    const folder = file.split('/').slice(0, -1).slice(0, 2).join('/');
    folders.set(folder, (folders.get(folder) ?? 0) + ms);
  }
  return [...folders].sort(([, one], [, other]) => other - one);
}
