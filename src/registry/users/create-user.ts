import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { hashPassword } from '../access/passwords.ts';
import type { Role } from '../actor.ts';
import { refusal, refuse } from '../operator-refusals.ts';
import { isWithinRegistrar } from '../registrars/own-registrar.ts';
import {
  ACTIVE_USERS,
  checkUserCount,
  checkUsername,
  checkUserPassword,
  type RegistrarsUsers,
} from './user-rules.ts';

type User = {
  readonly username: string;
  /** Code of the registrar that it acts for. */
  readonly registrar: string;
  readonly roles: readonly Role[];
};
/** Hashing is slow: whoever creates the same user often hashes its password before. */
export type HashedUser = User & { readonly passwordHash: string };
export type NewUser = (User & { readonly password: string }) | HashedUser;

type Found = RegistrarsUsers & { readonly id: number; readonly isTaken: boolean };

export const createUser = operatorOperation(
  {
    name: 'create user',
    right: 'registrars',
    refusals: [
      'usernameInvalid',
      'userPasswordLength',
      'userRegistrarMissing',
      'usernameTaken',
      'tooManyUsers',
    ],
  },
  {
    async load(db, user: NewUser, context) {
      const found = await db.maybe(sql<Found>`
        select r.id, r.code, exists (select from api_users where username = ${user.username}) as "isTaken",
          ${ACTIVE_USERS} as users
        from registrars r where r.code = ${user.registrar} and ${isWithinRegistrar(sql`r.id`, context)}`);
      const passwordHash = 'passwordHash' in user ? user.passwordHash : await hashPassword(user.password);
      return { found, passwordHash };
    },

    decide({ found, passwordHash }, user, context) {
      const { username, registrar, roles } = user;
      requireNone([
        ...checkUsername(username),
        ...('password' in user ? checkUserPassword(user.password) : []),
      ]);
      if (!found) return refuse('userRegistrarMissing', { username });
      requireNone([
        ...(found.isTaken ? [refusal('usernameTaken', { at: ['username'], username })] : []),
        ...checkUserCount(found, context),
      ]);
      return { answer: { username, registrar, roles }, registrarId: found.id, passwordHash };
    },

    persist(db, { answer, registrarId, passwordHash }, context) {
      const { username, roles } = answer;
      const changed = sql`
        insert into api_users (registrar_id, username, roles, password_hash, created_at)
        values (${registrarId}, ${username}, ${[...roles]}, ${passwordHash}, ${context.now})
        on conflict (username) do nothing
        returning id, username as name`;
      return persistRecorded(
        db,
        { changed },
        { objectKind: 'user', operation: 'create', registrarId, after: { roles } },
        { answer, context },
      );
    },
  },
);
