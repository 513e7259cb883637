import { operatorOperation } from '../../operations/operator-operation.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { hashPassword } from '../access/passwords.ts';
import { persistUser } from './persist-user.ts';
import { loadUser, requireUser } from './require-user.ts';
import { checkUserPassword } from './user-rules.ts';

type Replacement = {
  readonly username: string;
  readonly password: string;
  /** Undefined where the old password ends at once. */
  readonly oldUntil: Date | undefined;
};

/** Sets a new password; the old one stays valid for a while, so that clients can switch one by one. */
export const replacePassword = operatorOperation(
  { name: 'replace password of user', right: 'registrars', refusals: ['userPasswordLength', 'userMissing'] },
  {
    async load(db, { username, password, oldUntil }: Replacement, context) {
      const user = await loadUser(db, username, context);
      // It shares the salt of the password that stays valid beside it.
      return user && { user, hash: await hashPassword(password, oldUntil && user.passwordHash) };
    },

    decide(found, { username, password, oldUntil }) {
      requireNone(checkUserPassword(password));
      return { ...requireUser(found, username), answer: { username, oldUntil } };
    },

    persist(db, { user, hash, answer }, context) {
      const { oldUntil } = answer;
      const set = sql`password_hash = ${hash},
        previous_password_hash = ${oldUntil ? sql`password_hash` : null}, previous_password_until = ${oldUntil ?? null}`;
      return persistUser(db, user, { operation: 'change password', set, answer }, context);
    },
  },
);
