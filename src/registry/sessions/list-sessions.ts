import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type ListedSession = {
  readonly id: string;
  readonly registrar: string;
  readonly user: string;
  readonly address: string;
  readonly since: Date;
  readonly lastCommand: Date;
  readonly commands: number;
  readonly server: string;
  readonly userAgent: string | null;
};

/** Live EPP sessions of all servers, the oldest first. Commands are counted with a delay of seconds. */
export const listSessions = (db: Sql, registrar?: string): Promise<ListedSession[]> =>
  db.rows(sql<ListedSession>`
    select s.id, r.code as registrar, u.username as user, host(s.address) as address, s.logged_in_at as since,
      s.last_command_at as "lastCommand", s.commands::int as commands, s.server, s.user_agent as "userAgent"
    from epp_sessions s join registrars r on r.id = s.registrar_id join api_users u on u.id = s.user_id
    where s.lease_until > clock_timestamp() and (${registrar ?? null}::text is null or r.code = ${registrar ?? null})
    order by s.logged_in_at, s.id`);
