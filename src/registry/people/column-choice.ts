import { isNotInSchema } from '../../platform/database/database-errors.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { ViewedList } from './saved-view.ts';

/** Lists of the console whose columns a person can choose. */
export type ColumnedList = Extract<ViewedList, 'domains' | 'contacts'>;

/** Whose columns of which list. */
export type ColumnsOwner = {
  readonly personId: number;
  readonly registrarId: number;
  readonly list: ColumnedList;
};

/** Undefined where the person has chosen none. */
export async function readChosenColumns(
  db: Sql,
  { personId, registrarId, list }: ColumnsOwner,
): Promise<readonly string[] | undefined> {
  try {
    const chosen = await db.maybe(sql<{ columns: string[] }>`
      select columns from chosen_columns
      where person_id = ${personId} and registrar_id = ${registrarId} and list = ${list}`);
    return chosen?.columns;
  } catch (error) {
    // Until the schema is migrated during an upgrade.
    if (isNotInSchema(error)) return undefined;
    throw error;
  }
}

export async function chooseColumns(
  db: Sql,
  { personId, registrarId, list }: ColumnsOwner,
  columns: readonly string[],
): Promise<void> {
  await db.run(sql`
    insert into chosen_columns (person_id, registrar_id, list, columns)
    values (${personId}, ${registrarId}, ${list}, ${columns}::text[])
    on conflict (person_id, registrar_id, list) do update set columns = excluded.columns`);
}

/** Those that the list has from the beginning, also those that a later version adds to them. */
export async function forgetColumns(db: Sql, { personId, registrarId, list }: ColumnsOwner): Promise<void> {
  await db.run(sql`
    delete from chosen_columns where person_id = ${personId} and registrar_id = ${registrarId} and list = ${list}`);
}
