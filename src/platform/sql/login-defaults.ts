import { addressesOf, type DatabaseTarget, openAsLogin } from './database.ts';
import { codeOf } from './errors.ts';
import type { Pool, Sql } from './executor.ts';
import { runAndRollBack } from './run-and-roll-back.ts';
import { type SessionLimits, sessionSettings } from './session.ts';
import { sql, text } from './statement.ts';

type Default = { readonly name: string; readonly value: string };

const ADMIN_SHUTDOWN = '57P01';

/**
 * Behind a pooler no session can be told at its start what it is, so that it must be so by default. The login sets its
 * own defaults in this database, which needs no right, and leaves all others alone. Tells what it changed.
 */
export async function setLoginDefaults(
  target: DatabaseTarget,
  limits: SessionLimits,
  timeZone: string,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): Promise<Default[]> {
  if (!addressesOf(target).isPooled) return [];
  // The zone is the one setting of them that a pooler keeps for each of its clients.
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
  // Only the login itself may alter it, and by default it may be another role already.
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
 * Defaults count for new sessions, and a pooler keeps the ones that it has: those at rest are ended, this one last.
 * Those that are busy come to their end with the pooler's own limit of their age.
 */
async function endIdleSessions(login: Sql): Promise<void> {
  await login.rows(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = session_user and state = 'idle' and pid <> pg_backend_pid()`);
  await login.rows(sql`select pg_terminate_backend(pg_backend_pid())`).catch((error: unknown) => {
    if (codeOf(error) !== ADMIN_SHUTDOWN) throw error;
  });
}
