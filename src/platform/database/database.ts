import { FairQueue } from '../fair-queue.ts';
import * as floor from '../sql/database.ts';
import type { Statement } from '../sql/statement.ts';
import { poolWithTag, type TaggedPool, type TaggedSql, withTag } from './tagged.ts';

/** Anything that runs statements: a pool, or a transaction on it. */
export type Sql = TaggedSql;
export type Pool = TaggedPool;
export type Fragment = Statement;
export type Owner = Pool & { close(): Promise<void> };
export type DatabaseTarget = floor.DatabaseTarget;
export type Database = {
  readonly reads: Sql;
  readonly lists: Sql;
  /** Whose statement goes to `lists` next, by the id of the registrar that asked. */
  readonly listTurns: FairQueue<number>;
  readonly writes: Pool;
  close(): Promise<void>;
};

export const PLANNER = floor.PLANNER;

/** What one registrar may have at once on the connections for lists, and how much of it may wait for how long. */
const LISTS_OF_ONE = { atOnce: 2, maxWaiting: 32, maxWaitMs: 20_000 } as const;

export function openDatabase(...[target, limits, timeZone]: Parameters<typeof floor.openDatabase>): Database {
  const { reads, lists, writes, close } = floor.openDatabase(target, limits, timeZone);
  return {
    ...{ reads: withTag(reads), lists: withTag(lists), writes: poolWithTag(writes), close },
    listTurns: listTurnsOn(limits.listConnections),
  };
}

/** A connection is left for the others wherever there are two. */
const listTurnsOn = (connections: number): FairQueue<number> =>
  new FairQueue({
    atOnce: connections,
    perKey: Math.max(1, Math.min(LISTS_OF_ONE.atOnce, connections - 1)),
    maxWaitingPerKey: LISTS_OF_ONE.maxWaiting,
    maxWaitMs: LISTS_OF_ONE.maxWaitMs,
  });

export const openAsOwner = (...of: Parameters<typeof floor.openAsOwner>): Owner =>
  poolWithTag(floor.openAsOwner(...of));
