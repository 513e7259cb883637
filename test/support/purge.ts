import type { Purge } from '../../src/platform/jobs/purge.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';

/** Deletes one batch of what is over by then; none on a schema without the table. */
export async function purgeSome(db: Sql, purge: Purge, time: Date): Promise<number> {
  if (purge.isPossible && !(await purge.isPossible(db))) return 0;
  return purge.removeSome(db, time);
}
