import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import { searchKey } from './contact-fields.ts';

/**
 * For each list of spellings the first that is the code of a contact of this registrar, or else of one that it had;
 * undefined if there is none.
 */
export async function findContactCodes(
  db: Sql,
  spellings: readonly (readonly string[])[],
  { registrarId }: RegistrarScope,
): Promise<(string | undefined)[]> {
  const keys = [...new Set(spellings.flat().map(searchKey))];
  const rows = await db.rows(sql<{ key: string; code: string; present: boolean }>`
    select code_key as key, code, true as present from contacts
    where registrar_id = ${registrarId} and code_key = any(${keys}::text[])
    union all
    select name_key, name_key, false from removed_objects
    where object_kind = 'contact' and registrar_id = ${registrarId} and name_key = any(${keys}::text[])`);
  const codesOf = (present: boolean) =>
    new Map(rows.filter((row) => row.present === present).map(({ key, code }) => [key, code]));
  const [known, removed] = [codesOf(true), codesOf(false)];
  const firstIn = (codes: ReadonlyMap<string, string>, list: readonly string[]) =>
    list.map((spelling) => codes.get(searchKey(spelling))).find((code) => code !== undefined);
  return spellings.map((list) => firstIn(known, list) ?? firstIn(removed, list));
}
