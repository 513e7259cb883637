import { findStoredAnswer, storeAnswerNow } from '../operations/idempotency.ts';
import { Refused } from '../operations/refusal.ts';
import type { Outcome } from '../operations/run-operation.ts';
import type { Database } from '../platform/sql/database.ts';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { rememberWrongCode, WrongCode } from './access/wrong-codes.ts';
import type { Context } from './operation.ts';
import { refuse } from './refusals.ts';
import { quote } from './run-operation.ts';

const ATTEMPTS = 5;

/**
 * For what is too much for one statement: the work locks what it needs, in the order of ids, so that nothing can
 * change between its decisions and what it writes. All of it happens or nothing; in a dry run the work writes nothing.
 */
export async function performInTransaction(
  database: Database,
  context: Context,
  work: (db: Sql) => Promise<object>,
): Promise<Outcome> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await database.writes.begin(async (db) => {
        const kept = await findStoredAnswer(db, context);
        if (kept) return { answer: kept, replayed: true };
        const answer = await work(db);
        if (context.dryRun) return { answer: await quote(db, { answer }, context), replayed: false };
        await storeAnswerNow(db, answer, context);
        return { answer, replayed: false };
      });
    } catch (error) {
      // The refusal may be about this request's own effect, committed by its twin a moment ago.
      const kept = error instanceof Refused ? await findStoredAnswer(database.reads, context) : undefined;
      if (kept) return { answer: kept, replayed: true };
      if (error instanceof WrongCode) await rememberWrongCode(database.writes, error, context);
      if (classifyDatabaseError(error) !== 'conflict') throw error;
    }
  }
  return refuse('overload');
}
