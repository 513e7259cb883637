import { findStoredAnswer, type Keyed, storeAnswerNow } from '../operations/idempotency.ts';
import type { Database } from '../platform/sql/database.ts';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import type { Sql } from '../platform/sql/executor.ts';

export type Outcome = { readonly answer: object; readonly replayed: boolean };
/** Runs the writing part of a call in one transaction, with the answer kept for its key. */
export type Write = <T extends object>(work: (db: Sql) => Promise<T>) => Promise<T>;

const ATTEMPTS = 5;

/** A call that takes effect once for its key. A refusal changed nothing and is not kept. */
export async function once(
  database: Database,
  keyed: Keyed,
  call: (write: Write) => Promise<object>,
): Promise<Outcome> {
  const kept = await findStoredAnswer(database.reads, keyed);
  if (kept) return { answer: kept, replayed: true };
  const write: Write = (work) =>
    database.writes.begin(async (db) => {
      const answer = await work(db);
      await storeAnswerNow(db, answer, keyed);
      return answer;
    }) as ReturnType<typeof work>;
  for (let attempt = 1; ; attempt++) {
    try {
      return { answer: await call(write), replayed: false };
    } catch (error) {
      // Its twin may have been quicker.
      const twin = await findStoredAnswer(database.reads, keyed);
      if (twin) return { answer: twin, replayed: true };
      if (classifyDatabaseError(error) !== 'conflict' || attempt === ATTEMPTS) throw error;
    }
  }
}
