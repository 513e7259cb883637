import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

let preparationMs = 0;

/**
 * Milliseconds of the processor that this process took so far, with every process that it started and that has ended,
 * and without what a machine does once. Where there is no /proc, without the processes.
 */
export const processorTimeMs = (): number => takenMs() - preparationMs;

/** Does what is done once per machine, such as unpacking a program: it counts against no budget. */
export function preparingMachine<Value>(work: () => Value): Value {
  const before = takenMs();
  try {
    return work();
  } finally {
    preparationMs += takenMs() - before;
  }
}

function takenMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + endedChildrenMs();
}

function endedChildrenMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program, in brackets, may contain spaces; cutime and cstime are the 14th and 15th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[13]) + Number(fields[14])) * 1_000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
