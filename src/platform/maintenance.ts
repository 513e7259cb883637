import type { Sql } from './database/database.ts';

export type Maintenance = { readonly since: Date; readonly reason: string | null };

export async function readMaintenance(sql: Sql): Promise<Maintenance | undefined> {
  const [row] = await sql<{ since: Date | null; reason: string | null }[]>`
    select maintenance_since as since, maintenance_reason as reason from installation`;
  return row?.since ? { since: row.since, reason: row.reason } : undefined;
}

export async function switchMaintenance(sql: Sql, maintenance: Maintenance | undefined): Promise<void> {
  await sql`update installation
    set maintenance_since = ${maintenance?.since ?? null}, maintenance_reason = ${maintenance?.reason ?? null}`;
}
