import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from './sql.ts';

/** Keeps the regular jobs of a registry from running in the middle of a test that counts statements or compares rows. */
export async function restRegularJobs(db: Sql): Promise<void> {
  // Further ahead they would be due: a wrong clock would have left such a time.
  await db.run(sql`
    update jobs set due_at = now() + interval_ms * interval '1 millisecond' + interval '2 minutes' where interval_ms >= 60000`);
}

/** Makes the worker run what it otherwise runs only when there is work for it. */
export async function endIdleTime(db: Sql): Promise<void> {
  await db.run(sql`update jobs set started_at = null where interval_ms < 1000`);
}
