import type { OperatorContext } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { FoundUser } from './require-user.ts';

type UserChange = {
  /** What history calls it. */
  readonly operation: string;
  readonly set: Fragment;
  readonly answer: unknown;
};

/** Changes a user whom nobody has changed since it was loaded. */
export const persistUser = (
  db: Sql,
  { id, version, registrarId }: FoundUser,
  { operation, set, answer }: UserChange,
  context: OperatorContext,
): Promise<void> => {
  const changed = sql`
    update api_users set ${set} where id = ${id} and version = ${version} returning id, username as name`;
  return persistRecorded(
    db,
    { changed },
    { objectKind: 'user', operation, registrarId },
    { answer, context },
  );
};
