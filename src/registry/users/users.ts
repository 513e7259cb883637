import { randomBytes } from 'node:crypto';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, json, sql } from '../../platform/sql/statement.ts';
import { hashPassword } from '../access/passwords.ts';
import type { Role } from '../actor.ts';
import type { OperatorChange } from '../operator-change.ts';

export type NewUser = {
  readonly username: string;
  readonly registrar: string;
  readonly roles: readonly Role[];
  readonly password: string;
};
export type UserRow = {
  readonly username: string;
  readonly registrar: string;
  readonly roles: readonly Role[];
  readonly status: 'active' | 'disabled';
  readonly oldPasswordUntil: Date | null;
};

/** Hashing is slow, so it is done before the transaction. */
export type HashedUser = Omit<NewUser, 'password'> & { readonly passwordHash: string };

export const hashedUser = async ({ password, ...user }: NewUser): Promise<HashedUser> => ({
  ...user,
  passwordHash: await hashPassword(password),
});

export const USER_ROLES: readonly Role[] = ['super', 'epp', 'billing'];
export const isUsername = (text: string): boolean => /^[A-Za-z0-9._@-]{1,64}$/.test(text);
/** 144 bits, to be shown once. */
export const generatePassword = (): string => randomBytes(18).toString('base64url');

type Creation = 'created' | 'username taken' | 'no such registrar';

export const createUser = async (db: Sql, user: NewUser, change: OperatorChange): Promise<Creation> =>
  createHashedUser(db, await hashedUser(user), change);

export async function createHashedUser(
  db: Sql,
  user: HashedUser,
  { actor, at, reason, requestId }: OperatorChange,
): Promise<Creation> {
  const registrar = await db.maybe(sql<{ id: number; taken: boolean }>`
    select id, exists (select from api_users where username = ${user.username}) as taken from registrars where code = ${user.registrar}`);
  if (!registrar) return 'no such registrar';
  if (registrar.taken) return 'username taken';
  const rows = await db.rows(sql`
    with changed as (
      insert into api_users (registrar_id, username, roles, password_hash, created_at)
      values (${registrar.id}, ${user.username}, ${user.roles as Role[]}, ${user.passwordHash}, ${at})
      on conflict (username) do nothing
      returning id, username as name)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, request_id, after)
    select ${at}, 'user', id, name, 'create', ${registrar.id}, ${actor}, ${reason ?? null}, ${requestId ?? null}, ${json({ roles: [...user.roles] })} from changed
    returning 1`);
  return rows.length === 1 ? 'created' : 'username taken';
}

/** Sets a new password; the old one stays valid until `oldUntil`, so that clients can switch one by one. */
export async function changePassword(
  db: Sql,
  username: string,
  password: string,
  oldUntil: Date | undefined,
  change: OperatorChange,
): Promise<boolean> {
  for (;;) {
    const user = await db.maybe(sql<{ current: string }>`
      select password_hash as current from api_users where ${isUser(username, change)}`);
    if (!user) return false;
    const hash = await hashPassword(password, oldUntil && user.current);
    const changed = await changeUser(
      db,
      username,
      'change password',
      change,
      (found) => sql`
      update api_users set password_hash = ${hash},
        previous_password_hash = ${oldUntil ? sql`password_hash` : null}, previous_password_until = ${oldUntil ?? null}
      where ${found} and password_hash = ${user.current}`,
    );
    // The new hash shares the salt of the hash that was read; after a concurrent change it must be computed again.
    if (changed) return true;
  }
}

export async function dropOldPassword(db: Sql, username: string, change: OperatorChange): Promise<boolean> {
  return changeUser(
    db,
    username,
    'drop old password',
    change,
    (found) => sql`
    update api_users set previous_password_hash = null, previous_password_until = null where ${found}`,
  );
}

export async function disableUser(
  db: Sql,
  username: string,
  disabled: boolean,
  change: OperatorChange,
): Promise<boolean> {
  return changeUser(
    db,
    username,
    disabled ? 'disable' : 'enable',
    change,
    (found) => sql`
    update api_users set disabled_at = ${disabled ? change.at : null} where ${found}`,
  );
}

export async function setRoles(
  db: Sql,
  username: string,
  roles: readonly Role[],
  change: OperatorChange,
): Promise<boolean> {
  return changeUser(
    db,
    username,
    `roles ${roles.join(', ')}`,
    change,
    (found) => sql`
    update api_users set roles = ${roles as Role[]} where ${found}`,
  );
}

export async function listUsers(db: Sql, registrar?: string): Promise<UserRow[]> {
  return db.rows(sql<UserRow>`
    select u.username, r.code as registrar, u.roles, case when u.disabled_at is null then 'active' else 'disabled' end as status,
      u.previous_password_until as "oldPasswordUntil"
    from api_users u join registrars r on r.id = u.registrar_id
    where ${registrar ?? null}::text is null or r.code = ${registrar ?? null}
    order by r.code, u.username`);
}

async function changeUser(
  db: Sql,
  username: string,
  operation: string,
  change: OperatorChange,
  update: (found: Fragment) => Fragment,
): Promise<boolean> {
  const { actor, at, reason, requestId } = change;
  const rows = await db.rows(sql`
    with changed as (${update(isUser(username, change))} returning id, registrar_id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, request_id)
    select ${at}, 'user', id, ${username}, ${operation}, registrar_id, ${actor}, ${reason ?? null}, ${requestId ?? null} from changed
    returning 1`);
  return rows.length === 1;
}

const isUser = (username: string, { registrarId }: OperatorChange): Fragment => sql`(
  username = ${username} and (${registrarId ?? null}::bigint is null or registrar_id = ${registrarId ?? null}))`;
