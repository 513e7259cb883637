import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';

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
export function listSessions(db: Sql, registrar?: string): Promise<ListedSession[]> {
  return db.rows(sql<ListedSession>`
    select s.id, r.code as registrar, u.username as user, host(s.address) as address, s.logged_in_at as since,
      s.last_command_at as "lastCommand", s.commands::int as commands, s.server, s.user_agent as "userAgent"
    from epp_sessions s join registrars r on r.id = s.registrar_id join api_users u on u.id = s.user_id
    where s.lease_until > clock_timestamp() and (${registrar ?? null}::text is null or r.code = ${registrar ?? null})
    order by s.logged_in_at, s.id`);
}

export type EndedSession = { readonly id: string; readonly user: string; readonly registrar: string };
type Wanted = { readonly id: string } | { readonly registrar: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Asks the servers that hold these sessions to end them, which they do at their next renewal. */
export async function requestSessionEnd(
  db: Sql,
  wanted: Wanted,
  { actor, at, reason }: OperatorChange,
): Promise<EndedSession[]> {
  if ('id' in wanted && !UUID.test(wanted.id)) return [];
  return db.rows(sql<EndedSession>`
    with ended as (
      update epp_sessions s set end_requested_at = clock_timestamp()
      from registrars r, api_users u
      where r.id = s.registrar_id and u.id = s.user_id and s.lease_until > clock_timestamp()
        and ${'id' in wanted ? sql`s.id = ${wanted.id}::uuid` : sql`r.code = ${wanted.registrar}`}
      returning s.id, s.user_id, s.registrar_id, host(s.address) as address, u.username, r.code),
    recorded as (
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
      select ${at}, 'user', user_id, username, 'end EPP session', registrar_id, ${actor}, ${reason ?? null},
        jsonb_build_object('session', id, 'address', address)
      from ended)
    select id, username as user, code as registrar from ended order by id`);
}
