import type { Sql } from './sql/executor.ts';
import { sql } from './sql/statement.ts';

export type Maintenance = { readonly since: Date; readonly reason: string | null };

export async function readMaintenance(db: Sql): Promise<Maintenance | undefined> {
  const row = await db.one(sql<{ since: Date | null; reason: string | null }>`
    select maintenance_since as since, maintenance_reason as reason from installation`);
  return row.since ? { since: row.since, reason: row.reason } : undefined;
}
