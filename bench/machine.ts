import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

export type Machine = {
  readonly cores: number;
  readonly processor: string;
  readonly arch: string;
  readonly platform: string;
  readonly memoryGiB: number;
  readonly node: string;
};

/** What the figures depend on, and nothing that tells whose machine it was. */
export function machineFacts(): Machine {
  return {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model.trim() || 'unknown',
    arch: process.arch,
    platform: process.platform,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
  };
}

const TICK_SECONDS = 0.01; // the unit of /proc is fixed at a hundredth on every Linux of today

/** Processor time of a process so far, in seconds; undefined where there is no /proc to tell. */
export function processorTime(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields && (exactTime(pid) ?? (fields.user + fields.system) * TICK_SECONDS);
}

/** To the nanosecond where the kernel keeps it: the ticks of a round of a second are off by up to two per cent. */
function exactTime(pid: number): number | undefined {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10),
    );
    const sum = nanoseconds.reduce((total, time) => total + time, 0) / 1e9;
    return sum > 0 ? sum : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The same for a process with its children: a database server and its sessions. Those that have ended count on, or the
 * end of an autovacuum would take more time away than a round has spent.
 */
export function familyProcessorTime(pid: number): number | undefined {
  const own = processorTime(pid);
  const ended = statOf(pid)?.endedChildren;
  if (own === undefined || ended === undefined) return undefined;
  const others = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const children = others.filter((other) => statOf(other)?.parent === pid);
  return children.reduce((sum, child) => sum + (processorTime(child) ?? 0), own + ended * TICK_SECONDS);
}

/** What all processors have worked so far, for whomever, in seconds. */
export function allProcessorTime(): number | undefined {
  try {
    const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
      .split(/\s+/)
      .map(Number);
    return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (irq ?? 0) + (softirq ?? 0)) * TICK_SECONDS;
  } catch {
    return undefined;
  }
}

type Stat = {
  readonly parent: number;
  readonly user: number;
  readonly system: number;
  readonly endedChildren: number;
};

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in brackets that may hold anything; the fields after it are numbers.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), user, system, endedChildren: childrensUser + childrensSystem };
  } catch {
    return undefined;
  }
}

export type Memory = { readonly now: number; readonly peak: number };

/** Memory that a process holds, in bytes: now, and the most it ever held. */
export function memoryOf(pid: number): Memory | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]);
    return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
  } catch {
    return undefined;
  }
}
