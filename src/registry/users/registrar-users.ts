import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Role } from '../actor.ts';

/** An API user as the administrators of its registrar see it. */
export type RegistrarUser = {
  readonly username: string;
  readonly roles: readonly Role[];
  readonly status: 'active' | 'disabled';
  readonly oldPasswordUntil: Date | null;
  /** The last login that succeeded, as far as it is kept. */
  readonly lastLogin: Date | null;
};

/** Far above the number of a registrar's users. */
const MAX_LISTED = 1_000;

export const listRegistrarUsers = (db: Sql, registrarId: number, now: Date): Promise<RegistrarUser[]> =>
  db.rows(sql<RegistrarUser>`${userColumns(registrarId, now)} order by u.username limit ${MAX_LISTED}`);

export const findRegistrarUser = (
  db: Sql,
  registrarId: number,
  username: string,
  now: Date,
): Promise<RegistrarUser | undefined> =>
  db.maybe(sql<RegistrarUser>`${userColumns(registrarId, now)} and u.username = ${username}`);

const userColumns = (registrarId: number, now: Date): Fragment => sql`
  select u.username, u.roles, case when u.disabled_at is null then 'active' else 'disabled' end as status,
    case when u.previous_password_until > ${now} then u.previous_password_until end as "oldPasswordUntil",
    (select max(l.succeeded_at) from login_addresses l where l.user_id = u.id) as "lastLogin"
  from api_users u where u.registrar_id = ${registrarId}`;
