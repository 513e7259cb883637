import { FairQueue } from '../concurrency/fair-queue.ts';
import { type Addresses, readAddress } from './address.ts';
import type { Settings, StatementListener } from './database-connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import { PoolerRefused } from './database-errors.ts';
import { executorOf, type Pool, type Sql } from '../sql/executor.ts';
import { PipelinedPool } from './pipelined-pool.ts';
import type { PoolName, PoolStatus } from './pool-status.ts';
import { poolOf, statementsOn } from './pools.ts';
import { Replica, type ReplicaCounts } from './replica.ts';
import { Server, type ServerEvents } from './database-server.ts';
import { OWNER_SETTINGS, type SessionLimits, sessionSettings } from './session-settings.ts';

/** A postgres:// address, or a local server whose socket directory is `host`. */
export type DatabaseTarget =
  | string
  | {
      readonly host: string;
      readonly port: number;
      readonly username: string;
      readonly database: string;
    };

/**
 * Pools on one database. Reads are short and pipelined on few connections; lists may take longer, and a write may wait
 * for a row lock: nothing short may be queued behind either on the same connection.
 */
export type Database = {
  readonly reads: Sql;
  readonly lists: Sql;
  /** Lists that a standby may answer where one is configured; never older than their request. */
  readonly replicaLists: Sql;
  /** Who answered those; undefined without a standby. */
  readonly replicaCounts: (() => ReplicaCounts) | undefined;
  /** Schedules statements on both fairly by registrar id. */
  readonly listTurns: FairQueue<number>;
  readonly writes: Pool;
  /** Whether its sessions are shared behind a pooler in transaction mode. */
  readonly isPooled: boolean;
  poolStatus(): Readonly<Record<PoolName, PoolStatus>>;
  /** Whether statements are sent; while the server is unreachable they fail at once. */
  isAvailable(): boolean;
  close(): Promise<void>;
};
export type DatabaseEvents = ServerEvents & { readonly statementEnded?: StatementListener };
export type Owner = Pool & { close(): Promise<void> };

type Limits = SessionLimits & {
  /** Where standbys are found that may answer lists. */
  readonly replicaUrl?: string | undefined;
  readonly readConnections: number;
  readonly listConnections: number;
  readonly writeConnections: number;
  /** Transactions use the connections of single statements: for a process of seconds, in which no plan is used often. */
  readonly sharesWriteConnections?: boolean;
};

/** The server cancels statements after their timeout; this process gives up this much later. */
const ANSWER_GRACE_MS = 1_000;

/** The sessions use the registry's time zone, so that PostgreSQL formats times as clients see them. */
export function openDatabase(
  target: DatabaseTarget,
  limits: Limits,
  timeZone: string,
  events: DatabaseEvents = {},
): Database {
  const addresses = addressesOf(target);
  const server = new Server(addresses, events);
  const settings = sessionSettings(limits, timeZone);
  // Behind a pooler the other settings are defaults of the login, or set within a transaction.
  const start = (whole: Settings): Settings => (addresses.isPooled ? { TimeZone: timeZone } : whole);
  const answerTimeoutMs = limits.statementTimeoutMs + ANSWER_GRACE_MS;
  const { statementEnded } = events;
  const keepsStatements = !addresses.isPooled;
  const reading = { settings: start(settings.statements), keepsStatements, answerTimeoutMs, statementEnded };
  const writing = { ...reading, checksDeadlines: true };
  const transacting = { ...writing, settings: start(settings.transactions) };
  const reads = new PipelinedPool(server, reading, limits.readConnections);
  const lists = new ConnectionPool(server, reading, limits.listConnections);
  const transactions = new ConnectionPool(server, transacting, limits.writeConnections);
  const writes = limits.sharesWriteConnections
    ? transactions
    : new ConnectionPool(server, writing, limits.writeConnections);
  const onPrimary = statementsOn(lists);
  const replica = limits.replicaUrl === undefined ? undefined : openReplica(limits.replicaUrl);
  function openReplica(url: string) {
    const standby = new Server(readAddress(url));
    const pool = new ConnectionPool(standby, reading, limits.listConnections);
    return { standby, pool, sender: new Replica(pool, onPrimary, executorOf(reads)) };
  }
  const begin = addresses.isPooled
    ? `begin; set local plan_cache_mode = ${settings.transactions.plan_cache_mode}`
    : 'begin';
  return {
    reads: executorOf(reads),
    lists: executorOf(onPrimary),
    replicaLists: executorOf(replica?.sender ?? onPrimary),
    replicaCounts: replica && (() => replica.sender.counts),
    listTurns: listTurnsOn(limits.listConnections),
    writes: poolOf(statementsOn(writes), transactions, begin),
    isPooled: addresses.isPooled,
    poolStatus: () => ({
      reads: reads.status,
      lists: lists.status,
      writes: writes.status,
      transactions: transactions.status,
    }),
    isAvailable: () => server.isAvailable,
    close: async () => {
      server.close();
      replica?.standby.close();
      const pools = new Set([reads, lists, writes, transactions, ...(replica ? [replica.pool] : [])]);
      await Promise.all([...pools].map((pool) => pool.close()));
    },
  };
}

/** The concurrent list statements of one registrar, and how many may wait for how long. */
const LISTS_OF_ONE = { atOnce: 2, maxWaiting: 32, maxWaitMs: 20_000 } as const;

/** One connection is left for the others if there are at least two. */
const listTurnsOn = (connections: number): FairQueue<number> =>
  new FairQueue({
    atOnce: connections,
    perKey: Math.max(1, Math.min(LISTS_OF_ONE.atOnce, connections - 1)),
    maxWaitingPerKey: LISTS_OF_ONE.maxWaiting,
    maxWaitMs: LISTS_OF_ONE.maxWaitMs,
  });

/** One connection with the rights of the login itself, only for migrations, seeds and resets. */
export function openAsOwner(target: DatabaseTarget, settings: Settings = {}): Owner {
  const addresses = addressesOf(target);
  if (addresses.isPooled) throw new PoolerRefused();
  return openOne(addresses, { ...OWNER_SETTINGS, ...settings });
}

/** One connection of the login with its default settings. */
export const openAsLogin = (target: DatabaseTarget): Owner =>
  openOne(addressesOf(target), { TimeZone: 'UTC' });

function openOne(addresses: Addresses, settings: Settings): Owner {
  const server = new Server(addresses);
  const pool = new ConnectionPool(server, { settings }, 1);
  return {
    ...poolOf(statementsOn(pool), pool),
    close: async () => {
      server.close();
      await pool.close();
    },
  };
}

export function addressesOf(target: DatabaseTarget): Addresses {
  if (typeof target === 'string') return readAddress(target);
  const { host, port, username, database } = target;
  return { servers: [{ host, port, user: username, database }], wanted: 'any', isPooled: false };
}
