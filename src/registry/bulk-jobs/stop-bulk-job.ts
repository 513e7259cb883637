import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Context } from '../operation.ts';

type OneJob = { readonly id: string };

/** Leaves what is not done yet; false where the registrar has no such job, true also where it is over. */
export const stopBulkJob = (db: Sql, { id }: OneJob, context: Context): Promise<boolean> =>
  wasFound(
    db.run(sql`
      update bulk_jobs set
        stopped_at = case when finished_at is null then coalesce(stopped_at, ${context.now}) end,
        next_attempt_at = null
      where public_id = ${id}::uuid and registrar_id = ${context.principal.registrarId}`),
  );

/** Goes on with what is not done yet. */
export const resumeBulkJob = (db: Sql, { id }: OneJob, context: Context): Promise<boolean> =>
  wasFound(
    db.run(sql`
      update bulk_jobs set stopped_at = null,
        next_attempt_at = case when finished_at is null then coalesce(next_attempt_at, ${context.now}) end
      where public_id = ${id}::uuid and registrar_id = ${context.principal.registrarId}`),
  );

const wasFound = async (rows: Promise<number>): Promise<boolean> => (await rows) > 0;
