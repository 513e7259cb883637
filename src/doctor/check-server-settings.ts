import { sql } from '../platform/sql/statement.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

export type ServerSettings = {
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly autovacuum: string;
  readonly trackCounts: string;
  /** Tables that autovacuum passes over. */
  readonly unvacuumed: readonly string[];
};

/** Settings of the PostgreSQL server with which a power cut loses data, or tables grow without end. */
export const serverSettingsCheck: DatabaseCheck = {
  name: 'database server',
  async examine({ sql: db, config }) {
    // Nothing of a sandbox has to outlast a power cut.
    if (config.mode === 'sandbox') return [];
    const settings = await db.one(sql<ServerSettings>`
      select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
        current_setting('synchronous_commit') as "synchronousCommit", current_setting('autovacuum') as autovacuum,
        current_setting('track_counts') as "trackCounts",
        array(select relname::text from pg_class where relnamespace = 'public'::regnamespace
          and 'autovacuum_enabled=false' = any(reloptions) order by relname) as unvacuumed`);
    const found = checkServerSettings(settings);
    return found.length > 0 ? found : [ok('commits outlast a power cut, and tables are vacuumed')];
  },
};

export const checkServerSettings = (settings: ServerSettings): Finding[] => [
  ...(settings.fsync === 'off'
    ? [
        problem(
          'fsync is off: a power cut destroys the database.',
          'Set fsync = on in postgresql.conf, reload, and take a backup.',
        ),
      ]
    : []),
  ...(settings.fullPageWrites === 'off'
    ? [
        problem(
          'full_page_writes is off: a power cut can leave half-written pages.',
          'Set full_page_writes = on in postgresql.conf, and reload.',
        ),
      ]
    : []),
  ...(settings.synchronousCommit === 'off'
    ? [
        problem(
          'synchronous_commit is off: a power cut loses the last answers that clients were given.',
          'Set synchronous_commit = on for the server, the database and the login, and reload.',
        ),
      ]
    : []),
  ...(settings.autovacuum === 'off' || settings.trackCounts === 'off'
    ? [
        problem(
          `${settings.autovacuum === 'off' ? 'autovacuum' : 'track_counts'} is off: tables grow, plans become slow, and in the end the server takes no writes.`,
          'Set autovacuum = on and track_counts = on in postgresql.conf, and reload.',
        ),
      ]
    : []),
  ...(settings.unvacuumed.length > 0
    ? [
        warning(
          `Autovacuum passes over these tables: ${settings.unvacuumed.join(', ')}.`,
          'Reset it as the owner, such as: alter table history reset (autovacuum_enabled)',
        ),
      ]
    : []),
];
