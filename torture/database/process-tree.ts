import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/embedded-postgres/postmaster.ts';

/** The numbers of the processes that this one has started; Linux only. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    // The name of a program may hold blanks and brackets: what follows the last bracket is regular.
    const rest = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1);
    return Number(rest?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** One that has already exited needs no signal. */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch {
    // It had already exited.
  }
}

/** The parent first, so that it starts nothing more. Resolves when all of them are gone. */
export async function killTree(parent: number): Promise<void> {
  const all = [parent, ...childrenOf(parent)];
  signal(parent, 'SIGSTOP');
  all.push(...childrenOf(parent));
  for (const pid of all) signal(pid, 'SIGKILL');
  while (all.some(isAlive)) await sleep(10);
}

/** Stops a process and all that it has started; the returned function lets them go on. */
export function stopTree(parent: number): () => void {
  signal(parent, 'SIGSTOP');
  const children = childrenOf(parent);
  for (const pid of children) signal(pid, 'SIGSTOP');
  return () => {
    for (const pid of [...children, parent]) signal(pid, 'SIGCONT');
  };
}
