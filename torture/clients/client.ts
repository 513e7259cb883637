import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from '../caller.ts';
import { Chance } from '../chance.ts';
import type { World } from '../world.ts';

/** The context of a client: its own random generator, its own caller of the registry, and the world. */
export type Parts = { readonly world: World; readonly chance: Chance; readonly caller: Caller };
/** One action of a client. */
export type Action = (parts: Parts) => Promise<void>;

const SHORTEST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 500;

/** Runs one action after the other until the end of the run. The actions follow from the seed and its name. */
export async function live<Name extends string>(
  world: World,
  who: string,
  actions: Readonly<Record<Name, Action>>,
  weights: Readonly<Record<Name, number>>,
): Promise<void> {
  const chance = Chance.of(world.seed, who);
  const caller = new Caller(world, who, chance);
  while (!world.ended) {
    await actions[chance.weighted(weights)]({ world, chance, caller });
    await sleep(SHORTEST_PAUSE_MS + chance.below(MAX_PAUSE_MS));
  }
}
