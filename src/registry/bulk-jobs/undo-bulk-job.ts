import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { BulkFinding } from '../domains/bulk/bulk-findings.ts';
import { previewRestoredLists, restoreListsOf } from '../domains/bulk/restore-lists.ts';
import type { RowResult } from '../domains/bulk/row-results.ts';
import { refuse } from '../domains/rules/domain-refusals.ts';
import type { Context } from '../operation.ts';

/** Takes back what a job changed: by its id in addresses. */
export type BulkUndo = { readonly job: string };

/** Those that change nothing but lists, which history has as they were. */
const UNDONE = ['nameservers', 'contacts', 'tech', 'keys', 'undo'];
export const canBeUndone = ({ kind }: { readonly kind: string }): boolean => UNDONE.includes(kind);

/** Each by itself, in a transaction of the caller. */
export const undoEach = async (
  db: Sql,
  names: readonly string[],
  undo: BulkUndo,
  context: Context,
): Promise<RowResult[]> => restoreListsOf(db, names, await requireRequest(db, undo, context), context);

/** What would become of each of these domains. */
export const previewUndo = async (
  database: Database,
  names: readonly string[],
  undo: BulkUndo,
  context: Context,
): Promise<BulkFinding[]> =>
  previewRestoredLists(database, names, await requireRequest(database.reads, undo, context), context);

/** The request that began the job: history has what it changed. Jobs of others, and deleted ones, are missing. */
async function requireRequest(db: Sql, { job }: BulkUndo, { principal }: Context): Promise<string> {
  const found = await db.maybe(sql<{ requestId: string }>`
    select request_id as "requestId" from bulk_jobs where public_id = ${job}::uuid and registrar_id = ${principal.registrarId} and kind = any(${UNDONE}::text[])`);
  return found?.requestId ?? refuse('objectMissing');
}
