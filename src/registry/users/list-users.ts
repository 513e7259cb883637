import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Role } from '../actor.ts';

export type ListedUser = {
  readonly username: string;
  readonly registrar: string;
  readonly roles: readonly Role[];
  readonly status: 'active' | 'disabled';
  readonly oldPasswordUntil: Date | null;
};

/** Of all registrars, or of one. */
export const listUsers = (db: Sql, registrar?: string): Promise<ListedUser[]> =>
  db.rows(sql<ListedUser>`
    select u.username, r.code as registrar, u.roles, case when u.disabled_at is null then 'active' else 'disabled' end as status,
      u.previous_password_until as "oldPasswordUntil"
    from api_users u join registrars r on r.id = u.registrar_id
    where ${registrar ?? null}::text is null or r.code = ${registrar ?? null}
    order by r.code, u.username`);
