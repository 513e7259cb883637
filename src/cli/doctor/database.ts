import type { Sql } from '../../platform/sql/executor.ts';
import { isUpToDate } from '../../platform/sql/migrate.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Finding, fine, problem } from './check.ts';

const OLDEST_VERSION = 15;

/** Whether the others have anything to look at. */
export async function examineDatabase(db: Sql): Promise<Finding[]> {
  const { version, number } = await db.one(sql<{ version: string; number: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as version, current_setting('server_version_num')::int as number`);
  return [
    number >= OLDEST_VERSION * 10_000
      ? fine(`PostgreSQL ${version}`)
      : problem(`It is PostgreSQL ${version}.`, `Move to version ${OLDEST_VERSION} or later.`),
    (await isUpToDate(db))
      ? fine('the schema is at the version of this program')
      : problem(
          'The schema is not at the version of this program.',
          'Run cadastre migrate, or the program of the version that the database has.',
        ),
  ];
}
