import { connections } from './connections.ts';
import { database } from './database.ts';
import { epp } from './epp.ts';
import { processes } from './processes.ts';
import type { Requirement, Sabotage } from './sabotage.ts';
import { surroundings } from './surroundings.ts';

const all = { ...processes, ...connections, ...database, ...epp, ...surroundings };
export type SabotageName = keyof typeof all;
export const sabotages: Readonly<Record<SabotageName, Sabotage>> = all;
export const sabotageNames = Object.keys(all) as SabotageName[];

const needs: Readonly<Partial<Record<SabotageName, Requirement>>> = {
  fillDisk: 'small disks',
  fillWal: 'small disks',
  freezeDatabase: 'process tree',
  failOver: 'process tree',
  killBackend: 'process tree',
};

export type Chosen = {
  readonly names: readonly SabotageName[];
  /** What was wanted and cannot be done on this machine, with the reason. */
  readonly skipped: Readonly<Partial<Record<SabotageName, string>>>;
};

/** What is wanted, as far as the machine allows it. */
export function chooseSabotage(
  wanted: readonly SabotageName[],
  whyNot: Readonly<Partial<Record<Requirement, string>>>,
): Chosen {
  const reasonFor = (name: SabotageName): string | undefined => {
    const need = needs[name];
    return need && whyNot[need];
  };
  return {
    names: wanted.filter((name) => reasonFor(name) === undefined),
    skipped: Object.fromEntries(wanted.flatMap((name) => (reasonFor(name) ? [[name, reasonFor(name)]] : []))),
  };
}

export function readSabotage(text: string): SabotageName[] {
  if (text === 'all') return sabotageNames;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0)
    throw new Error(`--sabotage knows no ${unknown.join(', ')}; it knows ${sabotageNames.join(', ')}`);
  return names as SabotageName[];
}
