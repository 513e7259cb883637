import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from '../caller.ts';
import { Chance } from '../chance.ts';
import type { World } from '../world.ts';

/** What a client is given: its own chance, its own line to the registry, and the world. */
export type Parts = { readonly world: World; readonly chance: Chance; readonly caller: Caller };
/** One thing that a client does. */
export type Deed = (parts: Parts) => Promise<void>;

const SHORTEST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 500;

/** Does one thing after the other until the world ends. What it does follows from the seed and its name. */
export async function live<Name extends string>(
  world: World,
  who: string,
  deeds: Readonly<Record<Name, Deed>>,
  weights: Readonly<Record<Name, number>>,
): Promise<void> {
  const chance = Chance.of(world.seed, who);
  const caller = new Caller(world, who, chance);
  while (!world.ended) {
    await deeds[chance.weighted(weights)]({ world, chance, caller });
    await sleep(SHORTEST_PAUSE_MS + chance.below(MAX_PAUSE_MS));
  }
}
