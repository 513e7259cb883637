import { classifyDatabaseError } from '../platform/database/database-errors.ts';
import type { Pool, Sql } from '../platform/sql/executor.ts';
import type { Cents } from '../platform/values/money.ts';
import { findStoredAnswer, type Keyed, type StoredAnswer } from './stored-answers.ts';
import { Refused } from './refusal.ts';
import { backOff, CONFLICT_RETRIES } from './conflict-retries.ts';

/** Request data available to every operation: time of arrival, idempotency key, and whether it is a dry run. */
export type OperationContext = Keyed;

/** Where an operation reads and writes; commands and jobs with a single pool use it for both. */
export type Store = { readonly reads: Sql; readonly writes: Pool };
export const storeOn = (pool: Pool): Store => ({ reads: pool, writes: pool });

/** What a dry run would cost, and what would be left. */
export type Quote = { readonly price: Cents; readonly balanceAfter: Cents };

/** The answer of an operation, or what the interface has stored when it answered an earlier request with the same key. */
export type Outcome<Answer> =
  | { readonly replayed: false; readonly answer: Answer; readonly quote?: Quote }
  | { readonly replayed: true; readonly stored: StoredAnswer };

/** The answer to a request without a key, which repeats no other. */
export function answerOf<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.replayed) throw new Error('a request without a key was answered by the answer to another');
  return outcome.answer;
}

/** The result of a decision: the answer, and whatever else is to be written. */
export type Plan = { readonly answer: unknown };

/** Module-specific additions to every run of its operations. */
export type Hooks<Context> = {
  /** The cost of what a dry run has decided. */
  readonly quote?: (db: Sql, plan: Plan, context: Context) => Promise<Quote>;
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
export type Variant<Answer, Context> = (run: Run<Context>) => Promise<Outcome<Answer>>;

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
      return await variant(run);
    } catch (error) {
      if (error instanceof Refused) return replayOrRefuse(run, error);
      const isRetried = classifyDatabaseError(error) === 'conflict' && attempt < CONFLICT_RETRIES.attempts;
      if (!isRetried) throw error;
      await backOff(CONFLICT_RETRIES, attempt);
    }
  }
}

/** The refusal may be caused by this request's own effect, committed by a duplicate after this attempt's look-up. */
async function replayOrRefuse<Context extends OperationContext>(
  run: Run<Context>,
  refused: Refused,
): Promise<Outcome<never>> {
  const stored = await findStoredAnswer(run.store.reads, run.context);
  if (stored) return { replayed: true, stored };
  await run.hooks.onRefused?.(refused, run.context);
  throw refused;
}
