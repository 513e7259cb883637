import { setTimeout as sleep } from 'node:timers/promises';
import type { Cut } from '../../test/support/database-proxy.ts';
import { sql } from '../../test/support/sql.ts';
import { ignoreErrors, type Parts, type Sabotage } from './sabotage.ts';

const SOME = 0.4;
const SEARCH_MS = 1_500;
const SEARCH_INTERVAL_MS = 1;
const MAX_TERMINATED = 12;
const MAX_STALL_MS = 6_000;

const some = ({ chance }: Parts): (() => boolean) => {
  const share = chance.happens(0.5) ? 1 : SOME;
  return () => chance.happens(share);
};

const cut =
  (how: Cut) =>
  async (parts: Parts): Promise<void> => {
    const isMeant = some(parts);
    for (const proxy of parts.world.place.cluster.proxies)
      parts.count(`connections: ${how}`, proxy.cutSome(how, isMeant));
  };

/** Connections that end, hang or are exhausted, while the database and the nodes keep running. */
export const connections = {
  terminateBackends: {
    weight: 6,
    carryOut: async (parts) => {
      const share = parts.chance.happens(0.5) ? 1 : SOME;
      const ended = await ignoreErrors(() =>
        parts.world.place.withOwner((db) =>
          db.rows(sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and random() < ${share}`),
        ),
      );
      parts.count('backends terminated', ended?.length);
    },
  },
  /** A session that is seen between two statements of a transaction is ended there. */
  terminateInTransaction: {
    weight: 8,
    carryOut: async ({ world, count }) => {
      const end = performance.now() + SEARCH_MS;
      let terminated = 0;
      await ignoreErrors(() =>
        world.place.withOwner(async (db) => {
          while (performance.now() < end && terminated < MAX_TERMINATED) {
            const ended = await db.rows(sql`
              select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and state like 'idle in transaction%'`);
            terminated += ended.length;
            await sleep(SEARCH_INTERVAL_MS);
          }
        }),
      );
      count('backends terminated between statements', terminated);
    },
  },
  resetConnections: { weight: 5, carryOut: cut('reset') },
  closeConnections: { weight: 5, carryOut: cut('close') },
  truncateAnswers: { weight: 5, carryOut: cut('truncate') },
  /** What was sent arrives, late. */
  stallConnections: {
    weight: 3,
    carryOut: async (parts) => {
      const milliseconds = 500 + parts.chance.below(MAX_STALL_MS);
      const isMeant = some(parts);
      for (const proxy of parts.world.place.cluster.proxies)
        parts.count('connections: stall', proxy.stallSome(isMeant, milliseconds));
      await sleep(milliseconds);
    },
  },
} satisfies Record<string, Sabotage>;
