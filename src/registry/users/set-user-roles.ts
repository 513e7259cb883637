import { operatorOperation } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Role } from '../actor.ts';
import { persistUser } from './persist-user.ts';
import { loadUser, requireUser } from './require-user.ts';

type Roles = { readonly username: string; readonly roles: readonly Role[] };

export const setUserRoles = operatorOperation(
  { name: 'set roles of user', right: 'registrars', refusals: ['userMissing'] },
  {
    load: (db, { username }: Roles, context) => loadUser(db, username, context),

    decide: (found, { username, roles }) => ({
      answer: { username, roles },
      user: requireUser(found, username),
    }),

    persist(db, { user, answer }, context) {
      const { roles } = answer;
      const set = sql`roles = ${[...roles]}`;
      return persistUser(db, user, { operation: `roles ${roles.join(', ')}`, set, answer }, context);
    },
  },
);
