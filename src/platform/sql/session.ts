import type { Config } from '../config/config.ts';
import type { Settings } from './connection.ts';

export type SessionLimits = Pick<Config, 'statementTimeoutMs' | 'lockTimeoutMs'>;

export const APPLICATION_ROLE = 'cadastre_app';

/**
 * We read by key, or pages in the order of an index: neither gathering all matches first, nor reading a table or an
 * index from its beginning is ever better. What is off is off by its cost, so that every plan without an index looks
 * expensive enough to be compiled, which takes longer than to run it: a stock PostgreSQL 15 made 1 create a second instead of 200.
 */
export const PLANNER = {
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  random_page_cost: 1.1,
  jit: 'off',
} as const;

/** What the sessions of a database need: those for statements of their own, and those for transactions. */
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
    // There is only one good plan: it is made once, not with every execution.
    statements: { ...common, plan_cache_mode: 'force_generic_plan' },
    // Transactions write few rows or many with the same statements, which no plan fits that was made for all of them:
    // so these are planned each time, on connections of their own.
    transactions: { ...common, plan_cache_mode: 'auto' },
  } as const satisfies Record<string, Settings>;
}

/** The owner is itself and takes its time, also where its login serves as well and has other defaults. */
export const OWNER_SETTINGS: Settings = {
  role: 'none',
  TimeZone: 'UTC',
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
};
