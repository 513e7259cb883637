import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedAddress } from '../../src/embedded-postgres/embedded-postgres.ts';
import { sql } from '../../test/support/sql.ts';
import type { SmallDisk } from '../database/small-disk.ts';
import { ignoreErrors, type Parts, type Sabotage } from './sabotage.ts';

const MIN_FREEZE_MS = 500;
const MAX_FREEZE_MS = 8_000;
const MAX_EXHAUSTION_MS = 4_000;
const MAX_FULL_MS = 3_000;
const RETAKE_INTERVAL_MS = 50;
const MAX_WAL_SWITCHES = 30;
const STANDBY_SHARE = 0.25;

/** A database that hangs, is full, refuses connections, or fails over. */
export const database = {
  freezeDatabase: {
    weight: 4,
    carryOut: async ({ world: { place }, chance, count }) => {
      const { primary, standby } = place.cluster;
      const frozen = standby && chance.happens(STANDBY_SHARE) ? standby : primary;
      const milliseconds = MIN_FREEZE_MS + chance.below(MAX_FREEZE_MS - MIN_FREEZE_MS);
      count(frozen === primary ? 'primary frozen, ms' : 'standby frozen, ms', milliseconds);
      frozen.freeze();
      await sleep(milliseconds);
      frozen.thaw();
    },
  },
  exhaustConnections: {
    weight: 4,
    carryOut: async ({ world: { place }, chance, count }) => {
      const end = performance.now() + 1_000 + chance.below(MAX_EXHAUSTION_MS - 1_000);
      const taken: pg.Client[] = [];
      let refused = 0;
      while (performance.now() < end) {
        const client = await takeConnection(place.cluster.primary.address);
        if (client) taken.push(client);
        else if (refused++ === 0)
          // Nodes would not notice with their existing connections.
          for (const proxy of place.cluster.proxies) proxy.cutSome('close', () => chance.happens(0.7));
        else await sleep(RETAKE_INTERVAL_MS);
      }
      count('connections taken from outside', taken.length);
      count('connections refused to us, as there were none left', refused);
      await Promise.all(taken.map((client) => ignoreErrors(() => client.end())));
    },
  },
  fillDisk: {
    weight: 2,
    carryOut: (parts) =>
      whileFull(parts, parts.world.place.cluster.primary.disks?.data, () =>
        sleep(500 + parts.chance.below(MAX_FULL_MS)),
      ),
  },
  /** Without room for a new segment of WAL the server panics. */
  fillWal: {
    weight: 2,
    carryOut: (parts) =>
      whileFull(parts, parts.world.place.cluster.primary.disks?.wal, async () => {
        await ignoreErrors(() => useUpWal(parts));
        await sleep(parts.chance.below(MAX_FULL_MS));
      }),
  },
  failOver: {
    weight: 4,
    carryOut: async ({ world: { place }, count }) => {
      const times = await place.cluster.failOver();
      count(times ? 'failed over' : 'no failover, the standby was behind');
    },
  },
} satisfies Record<string, Sabotage>;

const NO_SPACE = /No space left on device/;

async function whileFull(
  { world: { place }, count }: Parts,
  disk: SmallDisk | undefined,
  work: () => Promise<unknown>,
): Promise<void> {
  const { cluster } = place;
  const met = () =>
    ['ERROR', 'FATAL', 'PANIC'].map((severity) =>
      cluster.primary.countInLog(new RegExp(`${severity}: .*${NO_SPACE.source}`, 'g')),
    );
  const before = met();
  disk?.fill();
  try {
    await work();
  } finally {
    disk?.free();
  }
  await cluster.untilAnswers();
  for (const [index, times] of met().entries())
    count(`disk full: ${['ERROR', 'FATAL', 'PANIC'][index]}`, times - (before[index] ?? 0));
}

async function useUpWal({ world: { place } }: Parts): Promise<void> {
  await place.withOwner(async (db) => {
    for (let segment = 0; segment < MAX_WAL_SWITCHES; segment++) {
      await db.rows(sql`select pg_logical_emit_message(true, 'torture', 'full')`);
      await db.rows(sql`select pg_switch_wal()`);
    }
  });
}

async function takeConnection({ host, port, username, database }: EmbeddedAddress) {
  const client = new pg.Client({ host, port, user: username, database });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch {
    return undefined;
  }
}
