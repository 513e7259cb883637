import { operatorOperation } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { persistUser } from './persist-user.ts';
import { loadUser, requireUser } from './require-user.ts';

type User = { readonly username: string };

/** Ends the password that is being replaced. */
export const dropOldPassword = operatorOperation(
  { name: 'drop old password of user', right: 'registrars', refusals: ['userMissing'] },
  {
    load: (db, { username }: User, context) => loadUser(db, username, context),

    decide: (found, { username }) => ({ answer: { username }, user: requireUser(found, username) }),

    persist(db, { user, answer }, context) {
      const set = sql`previous_password_hash = null, previous_password_until = null`;
      return persistUser(db, user, { operation: 'drop old password', set, answer }, context);
    },
  },
);
