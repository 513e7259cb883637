import { availableStandbys, type Replication, readReplication } from '../platform/database/replication.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

const CHAPTER = 'see docs/operate/failover.md';

/** Whether acknowledged writes survive the loss of the server, and whether writes survive the loss of a standby. */
export function checkReplication(replication: Replication): Finding {
  const { isStandby, synchronousNames, required, connected, synchronous } = replication;
  if (isStandby)
    return problem(
      'The server is a standby: it takes no writes.',
      'List all servers in DATABASE_URL with target_session_attrs=read-write.',
    );
  const standbys = connected === 1 ? '1 standby' : `${connected} standbys`;
  if (required === 0)
    return connected === 0
      ? warning(
          'There is no standby: if the server is lost, everything since the last backup is.',
          `Set up two; ${CHAPTER}.`,
        )
      : warning(
          `Commits wait for none of the ${standbys}: if the server is lost, the last acknowledged writes are.`,
          `Have two, and set synchronous_standby_names to 'ANY 1 (…)' with the names of both; ${CHAPTER}.`,
        );
  const available = availableStandbys(replication);
  if (available < required)
    return problem(
      `Commits wait for ${required} of ${synchronousNames}, and ${available} can be reached: no write ends.`,
      `Bring a standby back, or take it out of synchronous_standby_names; ${CHAPTER}.`,
    );
  const unseen =
    synchronous === null ? ' (grant pg_read_all_stats to cadastre_app to see which of them)' : '';
  return available === required
    ? warning(
        `Commits wait for ${required} of ${standbys}${unseen}: if one is lost, writes stop.`,
        `Add another to synchronous_standby_names; ${CHAPTER}.`,
      )
    : ok(`commits wait for ${required} of ${standbys}${unseen}; one may be lost`);
}

export const replicationCheck: DatabaseCheck = {
  name: 'replication',
  async examine({ sql: db, config }) {
    // The sandbox has one server, and nothing to lose.
    return config.mode === 'sandbox' ? [] : [checkReplication(await readReplication(db))];
  },
};
