import type { Sql } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { refuse } from '../refusals.ts';
import { searchKey } from './fields.ts';
import { contactLinks, contactObject } from './object.ts';

/** The contact as JSON text; refuses what is not this registrar's. */
export async function readContact(
  sql: Sql,
  code: string,
  simple: boolean,
  policy: Policy,
  principal: Principal,
): Promise<string> {
  const key = searchKey(code);
  const [row] = simple
    ? await sql<{ contact: string }[]>`
        select json_build_object('code', c.code, 'name', c.name)::text as contact
        from contacts c where c.code_key = ${key} and c.registrar_id = ${principal.registrarId}`
    : await sql<{ contact: string }[]>`
        select ${contactObject(sql, policy)}::text as contact
        from contacts c ${contactLinks(sql)}
        where c.code_key = ${key} and c.registrar_id = ${principal.registrarId}`;
  return row?.contact ?? refuse((await wasRemoved(sql, key, principal)) ? 'objectGone' : 'objectMissing');
}

async function wasRemoved(sql: Sql, key: string, { registrarId }: Principal): Promise<boolean> {
  const [row] = await sql<{ removed: boolean }[]>`
    select exists (select from removed_objects
      where object_kind = 'contact' and name_key = ${key} and registrar_id = ${registrarId}) as removed`;
  return row?.removed ?? false;
}
