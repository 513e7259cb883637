import type { Chance } from '../chance.ts';
import type { World } from '../world.ts';

/** What a sabotage is given. `count` notes for the report what it met, how often. */
export type Parts = {
  readonly world: World;
  readonly chance: Chance;
  readonly count: (what: string, times?: number) => void;
};

export type Sabotage = {
  readonly weight: number;
  /** How many processes of ours it kills; these are spread over the time of the run. */
  readonly kills?: number;
  readonly carryOut: (parts: Parts) => Promise<void>;
};

/** What the machine may not allow. */
export type Requirement = 'small disks' | 'process tree';

/** A database that is away at the moment is no reason to end. */
export async function quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
  return work().catch(() => undefined);
}
