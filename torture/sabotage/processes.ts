import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, signal } from '../database/process-tree.ts';
import type { Parts, Sabotage } from './sabotage.ts';

const killNodes =
  (...which: number[]) =>
  async ({ world }: Parts): Promise<void> => {
    await Promise.all(which.map((index) => world.place.nodes[index]?.kill9()));
  };

/** Dead processes of the product, and of the database. */
export const processes = {
  killOne: { weight: 10, kills: 1, carryOut: killNodes(0) },
  killTwo: { weight: 10, kills: 1, carryOut: killNodes(1) },
  killBoth: { weight: 2, kills: 2, carryOut: killNodes(0, 1) },
  stopGently: {
    weight: 1,
    carryOut: async ({ world, chance }) => {
      await world.place.nodes[chance.below(2)]?.stop();
    },
  },
  killDatabase: {
    weight: 4,
    kills: 1,
    carryOut: async ({ world: { place } }) => {
      signal(place.cluster.primary.postmaster, 'SIGKILL');
      await sleep(300);
      await place.cluster.untilAnswers();
    },
  },
  /** One backend that dies like this takes all the others with it. */
  killBackend: {
    weight: 2,
    kills: 1,
    carryOut: async ({ world: { place }, chance }) => {
      const { postmaster } = place.cluster.primary;
      if (postmaster !== undefined) signal(chance.oneOf(childrenOf(postmaster)), 'SIGKILL');
      await sleep(300);
      await place.cluster.untilAnswers();
    },
  },
} satisfies Record<string, Sabotage>;
