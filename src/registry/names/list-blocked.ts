import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type BlockedRow = { readonly name: string; readonly reason: string | null };

export async function listBlocked(db: Sql): Promise<BlockedRow[]> {
  return db.rows(sql<BlockedRow>`select name, reason from blocked_names order by name`);
}
