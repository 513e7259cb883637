import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './refusals.ts';

/** Refuses a missing object: as removed for the registrar that had it, as unknown for all others. */
export async function refuseMissing(
  db: Sql,
  kind: 'domain' | 'contact',
  key: string,
  { registrarId }: { readonly registrarId: number },
): Promise<never> {
  const removed = await db.maybe(sql`
    select from removed_objects where object_kind = ${kind} and name_key = ${key} and registrar_id = ${registrarId}`);
  return refuse(removed ? 'objectGone' : 'objectMissing');
}
