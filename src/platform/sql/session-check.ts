import type { Settings } from './connection.ts';
import type { Database } from './database.ts';
import type { Sql } from './executor.ts';
import { type SessionLimits, sessionSettings } from './session.ts';
import { sql } from './statement.ts';

/** A setting of our sessions that is not what it must be. */
export type SessionFault = {
  readonly setting: string;
  readonly expected: string;
  readonly found: string;
  /** Nothing may be served with it: wrong rights, no time-outs, wrong times, or hardly any writes. */
  readonly isFatal: boolean;
};

/** Reads back what the sessions of every pool are: a pooler may have dropped what we sent with their start. */
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

/** One clause per fault. */
export const describeFaults = (faults: readonly SessionFault[]): string =>
  faults.map(({ setting, expected, found }) => `${setting} is ${found}, not ${expected}`).join('; ');

/** What to do about them. */
export const sessionRemedy = ({ isPooled }: Pick<Database, 'isPooled'>): string =>
  isPooled
    ? 'Run cadastre migrate with the same DATABASE_URL, which makes them defaults of the login, and then RECONNECT at the console of PgBouncer; see docs/operations.md#pgbouncer.'
    : 'A pooler drops what we send with the start of a session: add pooler=transaction to DATABASE_URL and run cadastre migrate; see docs/operations.md#pgbouncer.';
