import type { DatabaseMetric } from '../database-metrics.ts';
import { requiredStandbys } from './replication.ts';
import { sql } from '../sql/statement.ts';

/** WAL written so far, or received where the server is itself a standby. */
const written = sql`case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end`;

/** Names that synchronous_standby_names lists, as in `ANY 1 (db2, db3)`. */
const listedStandbys = sql`
  case when current_setting('synchronous_standby_names') = '' then 0
    else cardinality(string_to_array(regexp_replace(current_setting('synchronous_standby_names'), '^[^(]*\\(', ''), ',')) end`;

/**
 * The server and its standbys. Without pg_read_all_stats our role sees how many standbys there are, and nothing more of
 * them: their state is then `unknown`, and there is no lag.
 */
export const serverMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_database_size_bytes',
    help: 'Size of the database on disk',
    query: sql`select pg_database_size(current_database()) as value`,
  },
  {
    name: 'cadastre_database_connections',
    help: 'Connections to the server of the database, of all clients',
    query: sql`select sum(numbackends) as value from pg_stat_database`,
  },
  {
    name: 'cadastre_database_connections_max',
    help: 'Connections that the server of the database admits for ordinary logins',
    query: sql`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as value`,
  },
  {
    name: 'cadastre_database_standby',
    help: 'Whether the server that we are connected to is a standby',
    query: sql`select pg_is_in_recovery()::int as value`,
  },
  {
    name: 'cadastre_synchronous_commit_required',
    help: 'Standbys that each commit waits for',
    query: sql`select ${requiredStandbys} as value`,
  },
  {
    name: 'cadastre_standbys',
    help: 'Standbys connected to the server',
    labelNames: ['sync_state'],
    query: sql`
      select sync_state, count(standby.pid) as value
      from unnest(array['sync', 'quorum', 'potential', 'async', 'unknown']) as states(sync_state)
        left join (
          select pid, coalesce(sync_state, 'unknown') as seen from pg_stat_replication where state is null or state = 'streaming'
        ) as standby on seen = sync_state
      group by sync_state`,
  },
  {
    name: 'cadastre_standbys_expected',
    help: 'Standbys that the server is set up for: names of synchronous_standby_names, or permanent slots of replication if they are more',
    query: sql`
      select greatest(${listedStandbys}, (select count(*) from pg_replication_slots where slot_type = 'physical' and not temporary)) as value`,
  },
  {
    name: 'cadastre_standby_replay_lag_seconds',
    help: 'Time between the commit of recent transactions and their replay on a standby; 0 while there are none',
    labelNames: ['standby'],
    query: sql`
      select application_name as standby, coalesce(max(extract(epoch from replay_lag)), 0) as value
      from pg_stat_replication where state = 'streaming' group by application_name`,
  },
  {
    name: 'cadastre_standby_replay_lag_bytes',
    help: 'WAL that a standby has not replayed yet',
    labelNames: ['standby'],
    query: sql`
      select application_name as standby, max(pg_wal_lsn_diff(${written}, replay_lsn)) as value
      from pg_stat_replication where state = 'streaming' group by application_name`,
  },
];
