import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type PersonChange, recordPersonChange } from './person-history.ts';

/** The person whose identity this is. */
export async function findByIdentity(db: Sql, identity: string): Promise<number | undefined> {
  const found = await db.maybe(
    sql<{ id: number }>`select id from people where identity = ${identity} and disabled_at is null`,
  );
  return found?.id;
}

/** False if it is somebody's already. */
export async function linkIdentity(db: Sql, identity: string, change: PersonChange): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update people set identity = ${identity}, updated_at = ${change.now}
      where id = ${change.personId} and not exists (select from people where identity = ${identity})
      returning id)
    ${recordPersonChange('link identity', change)}`);
  return rows.length === 1;
}

/** False if there was none. */
export async function unlinkIdentity(db: Sql, change: PersonChange): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update people set identity = null, updated_at = ${change.now}
      where id = ${change.personId} and identity is not null returning id)
    ${recordPersonChange('unlink identity', change)}`);
  return rows.length === 1;
}
