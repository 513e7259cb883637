import postgres from 'postgres';
import type { Config } from '../config.ts';
import { FairQueue } from '../fair-queue.ts';
import type { EmbeddedAddress } from './embedded.ts';
import { honestSocket } from './socket.ts';
import { withTemplates } from './templates.ts';

/** Anything that runs statements: a pool, or a transaction on it. */
export type Sql = postgres.ISql<{ bigint: number }>;
export type Pool = postgres.Sql<{ bigint: number }>;
export type Fragment = postgres.PendingQuery<postgres.Row[]>;
/** A postgres:// address (a socket as libpq writes it: ?host=/directory), or the embedded server's. */
export type DatabaseTarget = string | EmbeddedAddress;

/**
 * Three pools on one database. Reads are short and pipelined on few connections; lists may take longer, and a
 * write may wait for a row lock: nothing short must be queued behind either on the same connection.
 */
export type Database = {
  readonly reads: Pool;
  readonly lists: Pool;
  /** Whose statement goes to `lists` next, by the id of the registrar that asked. */
  readonly listTurns: FairQueue<number>;
  readonly writes: Pool;
  close(): Promise<void>;
};

type Limits = Pick<
  Config,
  'readConnections' | 'listConnections' | 'writeConnections' | 'statementTimeoutMs' | 'lockTimeoutMs'
>;

/**
 * We read by key, or pages in the order of an index: neither gathering all matches first, nor reading a table or an
 * index from its beginning is ever better.
 */
export const PLANNER = {
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  random_page_cost: 1.1,
} as const;
/** What one registrar may have at once on the connections for lists, and how much of it may wait for how long. */
const LISTS_OF_ONE = { atOnce: 2, maxWaiting: 32, maxWaitMs: 20_000 } as const;
const APPLICATION_ROLE = 'cadastre_app';
const WHOLE_NUMBER = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond exact numbers`);
    return value;
  },
};

/** The sessions live in the registry's zone, so that PostgreSQL writes times as clients shall see them. */
export function openDatabase(target: DatabaseTarget, limits: Limits, timeZone: string): Database {
  const parameters = {
    role: APPLICATION_ROLE,
    TimeZone: timeZone,
    ...PLANNER,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.statementTimeoutMs,
  };
  // There is only one good plan: it is made once, not with every execution.
  const planned = { ...parameters, plan_cache_mode: 'force_generic_plan' };
  const reads = open(target, { max: limits.readConnections, connection: planned });
  const lists = open(target, { max: limits.listConnections, max_pipeline: 1, connection: planned });
  const writing = { max: limits.writeConnections, max_pipeline: 1, connection: planned };
  // On a connection that is busy with a statement the driver begins a transaction without keeping the connection for
  // it: what others write there is then part of that transaction. So no connection has both.
  const transactions = connect(target, { ...writing, connection: parameters });
  const writes = withTemplates(connect(target, writing), transactions);
  return {
    reads,
    lists,
    listTurns: listTurnsOn(limits.listConnections),
    writes,
    close: async () => {
      await Promise.all([reads, lists, writes, transactions].map((pool) => pool.end({ timeout: 5 })));
    },
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

/** One connection with the rights of the login itself: migrations, seeds and resets, nothing else. */
export function openAsOwner(target: DatabaseTarget): Pool {
  return open(target, { max: 1 });
}

type Tuning = { max: number; max_pipeline?: number; connection?: Record<string, string | number> };

const open = (target: DatabaseTarget, tuning: Tuning): Pool => withTemplates(connect(target, tuning));

function connect(target: DatabaseTarget, tuning: Tuning): Pool {
  const options = {
    ...tuning,
    connection: { application_name: 'cadastre', TimeZone: 'UTC', ...tuning.connection },
    prepare: true,
    connect_timeout: 5,
    backoff: () => 0.2,
    onnotice: () => {},
    types: { bigint: WHOLE_NUMBER },
    socket: honestSocket,
  };
  if (typeof target !== 'string') return postgres({ ...target, ...options });
  const url = new URL(target);
  const socket = url.searchParams.get('host');
  url.searchParams.delete('host');
  return postgres(url.href, { ...options, ...(socket !== null && { host: socket }) });
}
