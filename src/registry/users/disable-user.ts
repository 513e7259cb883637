import { operatorOperation } from '../../operations/operator-operation.ts';
import { requireNone } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { persistUser } from './persist-user.ts';
import { loadUser, requireUser } from './require-user.ts';
import { ACTIVE_USERS, checkUserCount, type RegistrarsUsers } from './user-rules.ts';

type Disabling = { readonly username: string; readonly isDisabled: boolean };

/** Shuts a user out, or lets it in again, within seconds on every server. */
export const disableUser = operatorOperation(
  { name: 'disable or enable user', right: 'registrars', refusals: ['userMissing', 'tooManyUsers'] },
  {
    async load(db, { username }: Disabling, context) {
      const found = await loadUser(db, username, context);
      return { found, registrar: found && (await countUsersOf(db, found.registrarId)) };
    },

    decide({ found, registrar }, { username, isDisabled }, context) {
      const user = requireUser(found, username);
      if (registrar && !isDisabled) requireNone(checkUserCount(registrar, context));
      return { answer: { username, isDisabled }, user };
    },

    persist(db, { user, answer }, context) {
      const { isDisabled } = answer;
      const set = sql`disabled_at = ${isDisabled ? context.now : null}`;
      return persistUser(db, user, { operation: isDisabled ? 'disable' : 'enable', set, answer }, context);
    },
  },
);

const countUsersOf = (db: Sql, registrarId: number): Promise<RegistrarsUsers> =>
  db.one(
    sql<RegistrarsUsers>`select r.code, ${ACTIVE_USERS} as users from registrars r where r.id = ${registrarId}`,
  );
