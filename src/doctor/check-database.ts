import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { examineSchema } from '../platform/migrations/schema-fit.ts';
import { checkSessions, describeFaults, sessionRemedy } from '../platform/database/session-check.ts';
import { sql } from '../platform/sql/statement.ts';
import { policy } from '../policy/installed.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

const OLDEST_VERSION = 15;

/** Precondition of all other checks of the database. */
export async function examineDatabase(db: Sql): Promise<Finding[]> {
  const { version, number } = await db.one(sql<{ version: string; number: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as version, current_setting('server_version_num')::int as number`);
  return [
    number >= OLDEST_VERSION * 10_000
      ? ok(`PostgreSQL ${version}`)
      : problem(`It is PostgreSQL ${version}.`, `Move to version ${OLDEST_VERSION} or later.`),
    await examineVersion(db),
  ];
}

async function examineVersion(db: Sql): Promise<Finding> {
  const { pending, unknown, fault } = await examineSchema(db);
  const [newer] = unknown;
  if (fault !== undefined)
    return problem(fault, 'Run cadastre migrate, or the program of the version that the database has.');
  if (newer)
    return warning(
      `The schema is newer than this program, which still runs on it: migration ${newer.version} (${newer.name}).`,
      'Replace the processes of this version by the new ones.',
    );
  if (pending.length > 0)
    return warning(
      `Migrations are pending (${pending.map(({ version }) => version).join(', ')}); this program runs without them.`,
      'Run cadastre migrate.',
    );
  return ok('the schema is at the version of this program');
}

/** The connections of one `serve`, with all its processes. */
export async function examineConnections(db: Sql, config: Config): Promise<Finding[]> {
  const { admitted } = await db.one(sql<{ admitted: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as admitted`);
  const needed = config.readConnections + config.listConnections + 2 * config.writeConnections;
  return needed > admitted
    ? [
        problem(
          `A serve opens up to ${needed} connections, and the server admits ${admitted}.`,
          'Raise max_connections, or lower WRITE_CONNECTIONS.',
        ),
      ]
    : [ok(`a serve opens up to ${needed} connections of the ${admitted} that the server admits`)];
}

/** History and ledger must be append-only for the application role, and preferably for its login too. */
export const rightsCheck: DatabaseCheck = {
  name: 'rights',
  async examine({ sql: db, config }) {
    const row = await db.one(sql<{
      open: string[];
      login: string;
      isSuperuser: boolean;
      ownsSchema: boolean;
    }>`
      select session_user as login,
        array(select t || ' ' || lower(p) from unnest(array['history', 'ledger_entries']) t, unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) p
          where has_table_privilege('cadastre_app', t, p) order by 1) as open,
        (select rolsuper from pg_roles where rolname = session_user) as "isSuperuser",
        pg_has_role(session_user, (select relowner from pg_class where oid = 'history'::regclass), 'MEMBER') as "ownsSchema"`);
    if (row.open.length > 0)
      return [
        problem(
          `cadastre_app may change what stands (${row.open.join(', ')}).`,
          'Revoke that: revoke update, delete, truncate on history, ledger_entries from cadastre_app.',
        ),
      ];
    if (row.isSuperuser && config.mode === 'production')
      return [
        warning(
          `The login ${row.login} is a superuser: by leaving its role it could alter history, and whatever else the server has.`,
          'Serve with a login that is a member of cadastre_app and nothing more; see docs/operate/install.md.',
        ),
      ];
    if (row.ownsSchema && config.mode === 'production')
      return [
        warning(
          `The login ${row.login} owns the schema: by leaving its role it could alter history.`,
          'Serve with a login that is a member of cadastre_app and nothing more; see docs/operate/install.md.',
        ),
      ];
    return [ok('history and ledger can be added to, and not changed')];
  },
};

/** Role, timeouts, time zone and planner settings of our sessions, as the server reports them. */
export async function examineSessions(database: Database, config: Config): Promise<Finding[]> {
  const faults = await checkSessions(database, config, policy.timeZone);
  const describe = (list: typeof faults) =>
    `Our sessions are not what they must be: ${describeFaults(list)}.`;
  const [fatal, slow] = [faults.filter((one) => one.isFatal), faults.filter((one) => !one.isFatal)];
  if (faults.length === 0) {
    const through = database.isPooled ? ', through a pooler in transaction mode' : '';
    return [ok(`our sessions have the role, the time-outs, the zone and the planner that we need${through}`)];
  }
  return [
    ...(fatal.length > 0 ? [problem(describe(fatal), sessionRemedy(database))] : []),
    ...(slow.length > 0 ? [warning(describe(slow), sessionRemedy(database))] : []),
  ];
}
