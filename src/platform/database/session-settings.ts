import type { Config } from '../config/config.ts';
import type { Settings } from './database-connection.ts';

export type SessionLimits = Pick<Config, 'statementTimeoutMs' | 'lockTimeoutMs'>;

const APPLICATION_ROLE = 'cadastre_app';

/**
 * We read by key, or pages in index order: bitmap scans, sequential scans and merge joins are never better.
 * Disabled plans get a huge cost, which would trigger JIT for every plan without an index, and compiling takes longer
 * than running it: a stock PostgreSQL 15 made 1 create a second instead of 200.
 */
export const PLANNER = {
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  random_page_cost: 1.1,
  jit: 'off',
} as const;

/** Settings of the sessions of single statements, and of those of transactions. */
export function sessionSettings({ statementTimeoutMs, lockTimeoutMs }: SessionLimits, timeZone: string) {
  const common = {
    role: APPLICATION_ROLE,
    TimeZone: timeZone,
    ...PLANNER,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  };
  return {
    // There is only one good plan: it is made once, not at every execution.
    statements: { ...common, plan_cache_mode: 'force_generic_plan' },
    // Transactions write few rows or many with the same statements, which no generic plan fits: they are planned each
    // time, on connections of their own.
    transactions: { ...common, plan_cache_mode: 'auto' },
  } as const satisfies Record<string, Settings>;
}

/** The owner keeps its own role and has no timeouts, even if the same login also serves and has other defaults. */
export const OWNER_SETTINGS: Settings = {
  role: 'none',
  TimeZone: 'UTC',
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};
