import type { Sql } from '../../src/platform/sql/executor.ts';
import { json } from '../../src/platform/sql/statement.ts';
import type { HoldCause } from '../../src/registry/domains/rules/domain-statuses.ts';
import { sql } from './sql.ts';

/** Sets the statuses of a domain, and with serverHold its cause: the schema has none without the other. */
export const setStatuses = (
  db: Sql,
  name: string,
  statuses: object,
  cause: HoldCause = 'registry',
): Promise<number> =>
  db.run(
    sql`update domains set statuses = ${json(statuses)}, hold_causes = ${json('serverHold' in statuses ? [cause] : [])} where name = ${name}`,
  );
