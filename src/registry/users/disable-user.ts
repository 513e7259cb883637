import { operatorOperation } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { persistUser } from './persist-user.ts';
import { loadUser, requireUser } from './require-user.ts';

type Disabling = { readonly username: string; readonly isDisabled: boolean };

/** Shuts a user out, or lets it in again, within seconds on every server. */
export const disableUser = operatorOperation(
  { name: 'disable or enable user', right: 'registrars', refusals: ['userMissing'] },
  {
    load: (db, { username }: Disabling, context) => loadUser(db, username, context),

    decide: (found, { username, isDisabled }) => ({
      answer: { username, isDisabled },
      user: requireUser(found, username),
    }),

    persist(db, { user, answer }, context) {
      const { isDisabled } = answer;
      const set = sql`disabled_at = ${isDisabled ? context.now : null}`;
      return persistUser(db, user, { operation: isDisabled ? 'disable' : 'enable', set, answer }, context);
    },
  },
);
