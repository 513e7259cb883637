import { addressesOf, type DatabaseTarget, openAsLogin } from './database.ts';
import { codeOf } from './database-errors.ts';
import type { Pool, Sql } from '../sql/executor.ts';
import { runAndRollBack } from '../sql/run-and-roll-back.ts';
import { type SessionLimits, sessionSettings } from './session-settings.ts';
import { sql, text } from '../sql/statement.ts';

type Default = { readonly name: string; readonly value: string };

const ADMIN_SHUTDOWN = '57P01';

/**
 * A pooler drops the settings in the startup message, so they must be defaults. The login sets its own defaults in this
 * database, which needs no privilege, and leaves all others unchanged. Returns what it changed.
 */
export async function setLoginDefaults(
  target: DatabaseTarget,
  limits: SessionLimits,
  timeZone: string,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): Promise<Default[]> {
  if (!addressesOf(target).isPooled) return [];
  // The time zone is the only one of these settings that a pooler tracks per client.
  const { TimeZone: _, ...wanted } = sessionSettings(limits, timeZone).statements;
  const login = openAsLogin(target);
  try {
    const apply = (db: Pool) => alterLogin(db, wanted);
    const changed = await (dryRun ? runAndRollBack(login, apply) : login.begin(apply));
    if (changed.length > 0 && !dryRun) await endIdleSessions(login);
    return changed;
  } finally {
    await login.close();
  }
}

async function alterLogin(db: Sql, wanted: Readonly<Record<string, string | number>>): Promise<Default[]> {
  // Only the login itself may alter it, and its default role may be another one already.
  await db.script('set local role none');
  const { present, database } = await db.one(sql<{ present: string[]; database: string }>`
    select quote_ident(current_database()) as database, array(
      select unnest(setconfig) from pg_db_role_setting
      where setrole = (select oid from pg_roles where rolname = session_user)
        and setdatabase = (select oid from pg_database where datname = current_database())) as present`);
  const known = new Set(present);
  const missing = Object.entries(wanted)
    .map(([name, value]) => ({ name, value: String(value) }))
    .filter(({ name, value }) => !known.has(`${name}=${value}`));
  for (const { name, value } of missing)
    await db.run(text(`alter role session_user in database ${database} set "${name}" = '${value}'`));
  return missing;
}

/**
 * Defaults apply to new sessions only, and a pooler keeps its open ones: idle ones are terminated, this one last. Busy
 * ones end by the pooler's own age limit.
 */
async function endIdleSessions(login: Sql): Promise<void> {
  await login.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = session_user and state = 'idle' and pid <> pg_backend_pid()`);
  await login.rows(sql`select pg_terminate_backend(pg_backend_pid())`).catch((error: unknown) => {
    if (codeOf(error) !== ADMIN_SHUTDOWN) throw error;
  });
}
