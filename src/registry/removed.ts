import type { Sql } from '../platform/database/database.ts';
import { refuse } from './refusals.ts';

/** There is no such object: whoever had it once hears that it is gone, everybody else that it does not exist. */
export async function refuseMissing(
  sql: Sql,
  kind: 'domain' | 'contact',
  key: string,
  { registrarId }: { readonly registrarId: number },
): Promise<never> {
  const [removed] = await sql`
    select from removed_objects where object_kind = ${kind} and name_key = ${key} and registrar_id = ${registrarId}`;
  return refuse(removed ? 'objectGone' : 'objectMissing');
}
