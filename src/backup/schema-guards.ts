import type { Sql } from '../platform/sql/executor.ts';
import { identifier, sql } from '../platform/sql/statement.ts';
import { BackupError } from './backup-error.ts';
import { type Identity, quoted } from './read-tables.ts';

/**
 * Drops all foreign keys, so that tables can be loaded in any order, and returns the statements that add them again.
 * Disabling their triggers instead would need a superuser, and would check nothing.
 */
export async function dropForeignKeys(db: Sql): Promise<string> {
  const keys = await db.rows(sql<{ on: string; name: string; definition: string }>`
    select conrelid::regclass::text as on, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`);
  await db.script(keys.map(({ on, name }) => `alter table ${on} drop constraint ${name}`).join('; '));
  return keys
    .map(({ on, name, definition }) => `alter table ${on} add constraint ${name} ${definition}`)
    .join('; ');
}

/** Lets identity columns continue behind what was drawn, in a transaction: setval could not be rolled back. */
export async function setIdentities(db: Sql, identities: readonly Identity[]): Promise<void> {
  for (const { table, column, last } of identities) {
    if (last === null) continue;
    const { highest } = await db.one(sql<{ highest: number }>`
      select coalesce(max(${identifier(column)}), 0)::bigint as highest from public.${identifier(table)}`);
    if (highest > last)
      throw new BackupError(
        `The backup has ${table} with a ${column} of ${highest}, beyond the last one drawn (${last}).`,
      );
    await db.script(
      `alter table public.${quoted(table)} alter column ${quoted(column)} restart with ${last + 1}`,
    );
  }
}
