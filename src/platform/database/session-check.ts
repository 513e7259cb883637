import type { Settings } from './database-connection.ts';
import type { Database } from './database.ts';
import type { Sql } from '../sql/executor.ts';
import { type SessionLimits, sessionSettings } from './session-settings.ts';
import { sql } from '../sql/statement.ts';

/** A session setting with an unexpected value. */
export type SessionFault = {
  readonly setting: string;
  readonly expected: string;
  readonly found: string;
  /** Prevents serving: wrong role, no timeouts, wrong time zone, or hardly any writes. */
  readonly isFatal: boolean;
};

/** Reads back the settings of every pool's sessions: a pooler may have dropped those of the startup message. */
export async function checkSessions(
  database: Database,
  limits: SessionLimits,
  timeZone: string,
): Promise<SessionFault[]> {
  const { statements, transactions } = sessionSettings(limits, timeZone);
  const faults = [
    ...(await compare(database.reads, statements)),
    ...(await compare(database.lists, statements)),
    ...(await compare(database.writes, statements)),
    ...(await database.writes.begin((db) => compare(db, transactions))),
  ];
  return [...new Map(faults.map((fault) => [`${fault.setting}=${fault.found}`, fault])).values()];
}

async function compare(db: Sql, wanted: Settings): Promise<SessionFault[]> {
  const names = Object.keys(wanted).map((name) => name.toLowerCase());
  const rows = await db.rows(sql<{ name: string; setting: string }>`
    select lower(name) as name, setting from pg_settings where lower(name) = any(${names}::text[])
    union all select 'role', current_user`);
  const found = new Map(rows.map(({ name, setting }) => [name, setting]));
  return Object.entries(wanted).flatMap(([setting, value]) => {
    const [expected, actual] = [String(value), found.get(setting.toLowerCase()) ?? 'unknown'];
    return expected === actual
      ? []
      : [{ setting, expected, found: actual, isFatal: isFatal(setting, actual) }];
  });
}

const FATAL = new Set(['role', 'TimeZone', 'jit']);
const isFatal = (setting: string, found: string): boolean =>
  FATAL.has(setting) || (setting.endsWith('_timeout') && found === '0');

export const describeFaults = (faults: readonly SessionFault[]): string =>
  faults.map(({ setting, expected, found }) => `${setting} is ${found}, not ${expected}`).join('; ');

/** The remedy for the operator. */
export const sessionRemedy = ({ isPooled }: Pick<Database, 'isPooled'>): string =>
  isPooled
    ? 'Run cadastre migrate with the same DATABASE_URL, which makes them defaults of the login, and then RECONNECT at the console of PgBouncer; see docs/operate/database.md#pgbouncer.'
    : 'A pooler drops what we send with the start of a session: add pooler=transaction to DATABASE_URL and run cadastre migrate; see docs/operate/database.md#pgbouncer.';
