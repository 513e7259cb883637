import { withoutDeadline } from '../platform/work-scope.ts';
import { OutdatedPreparation } from '../platform/database/database-errors.ts';
import type { BeginOptions, Pool, Sql } from '../platform/sql/executor.ts';
import { runAndRollBack } from '../platform/sql/run-and-roll-back.ts';
import { findStoredAnswer, storeAnswerNow } from './stored-answers.ts';
import {
  answerOf,
  type OperationContext,
  type Outcome,
  type Quote,
  type Run,
  runOperation,
  storeOn,
  type Variant,
} from './run-operation.ts';

type Transaction<Prepared, Answer> = {
  /**
   * Work that must not run while locks are held, such as calling another service or rendering a document. It is not
   * repeated when the transaction is retried after a conflict, unless that throws `OutdatedPreparation`.
   */
  readonly prepare?: (db: Sql) => Promise<Prepared>;
  /** Another service has done its part already: the transaction runs even after the request's deadline. */
  readonly ignoresDeadline?: true;
  readonly options?: BeginOptions;
  /** Locks rows in the order of their ids. A dry run is rolled back. */
  readonly transact: (db: Pool, prepared: Prepared) => Promise<Answer>;
};

/**
 * For operations that need more than one statement: all decisions and writes are one transaction, which stores the
 * answer for the request's key at its end.
 */
export function inTransaction<Answer, Context extends OperationContext, Prepared = undefined>({
  prepare,
  ignoresDeadline,
  options,
  transact,
}: Transaction<Prepared, Answer>): Variant<Answer, Context> {
  let prepared: { readonly value: Prepared } | undefined;
  const tryOnce = async (run: Run<Context>): Promise<Outcome<Answer>> => {
    const stored = await findStoredAnswer(run.store.reads, run.context);
    if (stored) return { replayed: true, stored };
    prepared ??= { value: (await prepare?.(run.store.reads)) as Prepared };
    const { value } = prepared;
    const commit = () => commitOnce(run, (db) => transact(db, value), options);
    try {
      return { replayed: false, ...(await (ignoresDeadline ? withoutDeadline(commit) : commit())) };
    } catch (error) {
      if (error instanceof OutdatedPreparation) prepared = undefined;
      throw error;
    }
  };
  return (run) => (prepared && ignoresDeadline ? withoutDeadline(() => tryOnce(run)) : tryOnce(run));
}

type Done<Answer> = { readonly answer: Answer; readonly quote?: Quote };

const commitOnce = <Answer, Context extends OperationContext>(
  { store, context, hooks }: Run<Context>,
  transact: (db: Pool) => Promise<Answer>,
  options: BeginOptions | undefined,
): Promise<Done<Answer>> => {
  const work = async (db: Pool): Promise<Done<Answer>> => {
    const answer = await transact(db);
    if (!context.dryRun) await storeAnswerNow(db, answer, context);
    else if (hooks.quote) return { answer, quote: await hooks.quote(db, { answer }, context) };
    return { answer };
  };
  return context.dryRun ? runAndRollBack(store.writes, work, options) : store.writes.begin(work, options);
};

/** For jobs and commands: a transaction that answers no request. */
export async function runTransaction<Answer>(
  pool: Pool,
  now: Date,
  transact: (db: Pool) => Promise<Answer>,
  options?: BeginOptions,
): Promise<Answer> {
  const variant = inTransaction<Answer, OperationContext>({ transact, ...(options && { options }) });
  return answerOf(await runOperation(storeOn(pool), variant, { now, dryRun: false }));
}
