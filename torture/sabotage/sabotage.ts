import type { Chance } from '../chance.ts';
import type { World } from '../world.ts';

/** The context of a sabotage. `count` records its effects for the report. */
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

/** Capabilities that the machine may lack. */
export type Requirement = 'small disks' | 'process tree';

/** An unavailable database does not end the run. */
export async function ignoreErrors<T>(work: () => Promise<T>): Promise<T | undefined> {
  return work().catch(() => undefined);
}
