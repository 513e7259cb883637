import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './refusals.ts';

/** There is no such object: whoever had it once hears that it is gone, everybody else that it does not exist. */
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
