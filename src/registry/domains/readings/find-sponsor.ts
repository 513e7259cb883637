import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';

/** The registrar of a domain; undefined if there is no such domain. */
export async function findSponsor(db: Sql, name: string): Promise<number | undefined> {
  const row = await db.maybe(sql<{ registrarId: number }>`
    select registrar_id as "registrarId" from domains where name = ${name}`);
  return row?.registrarId;
}
