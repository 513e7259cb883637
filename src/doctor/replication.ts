import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

export type Replication = {
  readonly isStandby: boolean;
  /** The setting synchronous_standby_names; empty if commits wait for nobody. */
  readonly synchronousNames: string;
  /** Standbys that receive the log. */
  readonly connected: number;
  /** Those among them that commits may wait for; null if the login may not see it. */
  readonly synchronous: number | null;
};

const CHAPTER = 'see docs/operations.md#standbys-and-failover';

/** Whether acknowledged writes survive the loss of the server, and whether writes survive the loss of a standby. */
export function checkReplication({
  isStandby,
  synchronousNames,
  connected,
  synchronous,
}: Replication): Finding {
  if (isStandby)
    return problem(
      'The server is a standby: it takes no writes.',
      'List all servers in DATABASE_URL with target_session_attrs=read-write.',
    );
  const standbys = connected === 1 ? '1 standby' : `${connected} standbys`;
  if (synchronousNames === '')
    return connected === 0
      ? warning(
          'There is no standby: if the server is lost, everything since the last backup is.',
          `Set up two; ${CHAPTER}.`,
        )
      : warning(
          `Commits wait for none of the ${standbys}: if the server is lost, the last acknowledged writes are.`,
          `Set synchronous_standby_names; ${CHAPTER}.`,
        );
  const needed = neededStandbys(synchronousNames);
  const available = synchronous ?? connected;
  if (available < needed)
    return problem(
      `Commits wait for ${needed} of ${synchronousNames}, and ${available} can be reached: no write ends.`,
      `Bring a standby back, or take it out of synchronous_standby_names; ${CHAPTER}.`,
    );
  const unseen =
    synchronous === null ? ' (grant pg_monitor to the login of DATABASE_URL to see which of them)' : '';
  return available === needed
    ? warning(
        `Commits wait for ${needed} of ${standbys}${unseen}: if one is lost, writes stop.`,
        `Add another to synchronous_standby_names; ${CHAPTER}.`,
      )
    : ok(`commits wait for ${needed} of ${standbys}${unseen}; one may be lost`);
}

/** `ANY 2 (a, b, c)`, `FIRST 2 (a, b)`, `2 (a, b)`, or a plain list, which means the first one of it. */
function neededStandbys(synchronousNames: string): number {
  const words = synchronousNames.replaceAll(/[\s(]+/g, ' ').trim();
  const isCounted = synchronousNames.includes('(');
  return Number((isCounted && /^(?:any |first )?(\d+)/i.exec(words)?.[1]) || 1);
}

export const replicationCheck: DatabaseCheck = {
  name: 'replication',
  async examine({ sql: db, config }) {
    // The sandbox has one server, and nothing to lose.
    return config.mode === 'sandbox' ? [] : [checkReplication(await readReplication(db))];
  },
};

const readReplication = (db: Sql): Promise<Replication> =>
  db.one(sql<Replication>`
    select pg_is_in_recovery() as "isStandby", current_setting('synchronous_standby_names') as "synchronousNames",
      count(*)::int as connected,
      case when count(*) = count(sync_state) then (count(*) filter (where sync_state in ('sync', 'quorum', 'potential')))::int end as synchronous
    from pg_stat_replication where state is null or state = 'streaming'`);
