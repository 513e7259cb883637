import type { OperatorContext } from '../../operations/operator-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { isWithinRegistrar } from '../registrars/own-registrar.ts';

/** An API user as it was when a change was decided on. */
export type FoundUser = {
  readonly id: number;
  readonly version: number;
  readonly registrarId: number;
  readonly passwordHash: string;
};

export const loadUser = (
  db: Sql,
  username: string,
  context: Pick<OperatorContext, 'registrarId'>,
): Promise<FoundUser | undefined> =>
  db.maybe(sql<FoundUser>`
    select id, version, registrar_id as "registrarId", password_hash as "passwordHash" from api_users
    where username = ${username} and ${isWithinRegistrar(sql`registrar_id`, context)}`);

export function requireUser<Found>(found: Found | undefined, username: string): Found {
  return found ?? refuse('userMissing', { username });
}
