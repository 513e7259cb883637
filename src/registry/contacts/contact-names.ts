import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import { searchKey } from './contact-fields.ts';

export type NamedContact = { readonly code: string; readonly name: string };

/** Those of the codes that are contacts of this registrar, in the order in which they are given. */
export async function readContactNames(
  db: Sql,
  codes: readonly string[],
  { registrarId }: RegistrarScope,
): Promise<NamedContact[]> {
  if (codes.length === 0) return [];
  const keys = codes.map(searchKey);
  return db.rows(sql<NamedContact>`
    select c.code, c.name from contacts c
    where c.code_key = any(${keys}::text[]) and c.registrar_id = ${registrarId}
    order by array_position(${keys}::text[], c.code_key)`);
}
