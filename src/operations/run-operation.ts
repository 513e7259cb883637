import { classifyDatabaseError } from '../platform/sql/errors.ts';
import type { Pool, Sql } from '../platform/sql/executor.ts';
import { findStoredAnswer, type Keyed, type StoredAnswer } from './idempotency.ts';
import { Refused } from './refusal.ts';
import { backOff, CONFLICT_RETRIES } from './retry-policy.ts';

/** Request data available to every operation: time of arrival, idempotency key, and whether it is a dry run. */
export type OperationContext = Keyed;

/** Where an operation reads and writes; commands and jobs with a single pool use it for both. */
export type Store = { readonly reads: Sql; readonly writes: Pool };
export const storeOn = (pool: Pool): Store => ({ reads: pool, writes: pool });

export type Outcome<Answer = object> = { readonly answer: Answer; readonly replayed: boolean };

/** The result of a decision: the answer, and whatever else is to be written. */
export type Plan = { readonly answer: object };

/** Module-specific additions to every run of its operations. */
export type Hooks<Context> = {
  /** Where the objects of a bulk operation are loaded, so that short reads are not delayed. */
  readonly loadBulk?: <T>(context: Context, load: (db: Sql) => Promise<T>) => Promise<T>;
  /** The answer to a dry run. */
  readonly quote?: (db: Sql, plan: Plan, context: Context) => Promise<object>;
  /** For a refusal with a side effect, in a dry run too. Nothing of the operation was written. */
  readonly onRefused?: (refused: Refused, context: Context) => Promise<void>;
};

export type Run<Context> = {
  readonly store: Store;
  readonly context: Context;
  readonly hooks: Hooks<Context>;
  /** 1 for the first. */
  readonly attempt: number;
};

/** How one attempt is executed: as one statement, or as one transaction. */
export type Variant<Answer, Context> = {
  attempt(run: Run<Context>): Promise<Outcome<Answer>>;
  /** The answer to a duplicate, from what was stored for the first request. */
  replay?(stored: StoredAnswer, run: Run<Context>): Promise<Answer>;
};

/**
 * Runs everything that changes state. An attempt that conflicts with another transaction is repeated from the start, so
 * that a violated constraint ends in the same refusal as a check; the conflict of the last attempt is the caller's. A request that was executed under its key before gets
 * the stored answer.
 */
export async function runOperation<Answer, Context extends OperationContext>(
  store: Store,
  variant: Variant<Answer, Context>,
  context: Context,
  hooks: Hooks<Context> = {},
): Promise<Outcome<Answer>> {
  for (let attempt = 1; ; attempt++) {
    const run = { store, context, hooks, attempt };
    try {
      return await variant.attempt(run);
    } catch (error) {
      if (error instanceof Refused) return replayOrRefuse(variant, run, error);
      const isRetried = classifyDatabaseError(error) === 'conflict' && attempt < CONFLICT_RETRIES.attempts;
      if (!isRetried) throw error;
      await backOff(CONFLICT_RETRIES, attempt);
    }
  }
}

/** The refusal may be caused by this request's own effect, committed by a duplicate after this attempt's look-up. */
async function replayOrRefuse<Answer, Context extends OperationContext>(
  variant: Variant<Answer, Context>,
  run: Run<Context>,
  refused: Refused,
): Promise<Outcome<Answer>> {
  const stored = await findStoredAnswer(run.store.reads, run.context);
  if (stored) return replayed(variant, stored, run);
  await run.hooks.onRefused?.(refused, run.context);
  throw refused;
}

export async function replayed<Answer, Context>(
  variant: Variant<Answer, Context>,
  stored: StoredAnswer,
  run: Run<Context>,
): Promise<Outcome<Answer>> {
  const answer = variant.replay ? await variant.replay(stored, run) : (stored as Answer);
  return { answer, replayed: true };
}
