import type { Sql } from '../sql/executor.ts';
import { quoted, sql, text } from '../sql/statement.ts';

/** Few rows are deleted in a tenth of the time of a truncation, which makes new files and outdates every plan. */
const MAX_DELETED_BYTES = 4 * 2 ** 20;

/**
 * Empties tables, named as SQL writes them, and restarts their identities, within the caller's transaction. Whatever
 * refers to one of them must be among them.
 */
export async function emptyTables(db: Sql, names: readonly string[]): Promise<void> {
  // As for a truncation: what transactions under way have written is emptied with the rest.
  await db.script(`lock table ${names.join(', ')} in access exclusive mode`);
  const tables = await db.rows(sql<{ name: string; isUsed: boolean; bytes: number; sequences: string[] }>`
    select name, pg_relation_size(name::regclass) > 0 as "isUsed", pg_table_size(name::regclass)::float8 as bytes, array(
      select s.seqrelid::regclass::text from pg_depend d join pg_sequence s on s.seqrelid = d.objid
      where d.refclassid = 'pg_class'::regclass and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
        and d.refobjid = name::regclass) as sequences
    from unnest(${names}::text[]) as name`);
  if (tables.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_DELETED_BYTES)
    return db.script(`truncate ${names.join(', ')} restart identity`);
  const used = tables.filter(({ isUsed }) => isUsed);
  // In one statement, since what refers to a deleted row is looked for at its end.
  const deletions = used.map(({ name }, index) => `t${index} as (delete from ${name})`);
  if (deletions.length > 0) await db.script(`with ${deletions.join(', ')} select`);
  const moved = await movedSequences(
    db,
    tables.flatMap((table) => table.sequences),
  );
  if (moved.length > 0) await db.script(moved.map((name) => `alter sequence ${name} restart`).join('; '));
}

/** Those that do not stand at their start. `pg_sequences` does not tell of one that was set and not used since. */
async function movedSequences(db: Sql, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const states = names
    .map((name) => sql`select ${quoted(name)} as name, last_value, is_called from ${text(name)}`)
    .reduce((all, one) => sql`${all} union all ${one}`);
  const moved = await db.rows(sql<{ name: string }>`
    select name from (${states}) as states join pg_sequence s on s.seqrelid = name::regclass
    where is_called or last_value <> s.seqstart`);
  return moved.map(({ name }) => name);
}
