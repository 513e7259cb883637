import type { Sql } from '../sql/executor.ts';
import { type Fragment, sql } from '../sql/statement.ts';

export type Replication = {
  readonly isStandby: boolean;
  /** The setting synchronous_standby_names; empty if commits wait for nobody. */
  readonly synchronousNames: string;
  /** Standbys that each commit waits for. */
  readonly required: number;
  /** Standbys that receive the log. */
  readonly connected: number;
  /** Those among them that commits may wait for; null if the login may not see it. */
  readonly synchronous: number | null;
};

/** `ANY 2 (a, b, c)`, `FIRST 2 (a, b)`, `2 (a, b)`, or a plain list, which means the first one of it. */
export const standbysRequiredBy = (names: Fragment): Fragment => sql`
  case when ${names} = '' then 0
    else coalesce(substring(${names} from '(?i)^\\s*(?:any|first)?\\s*(\\d+)\\s*\\(')::int, 1) end`;

/** Standbys that each commit waits for: none where our sessions do not wait for any. */
export const requiredStandbys = sql`
  case when current_setting('synchronous_commit') in ('off', 'local') then 0
    else ${standbysRequiredBy(sql`current_setting('synchronous_standby_names')`)} end`;

export const readReplication = (db: Sql): Promise<Replication> =>
  db.one(sql<Replication>`
    select pg_is_in_recovery() as "isStandby", current_setting('synchronous_standby_names') as "synchronousNames",
      ${requiredStandbys} as required, count(*)::int as connected,
      case when count(*) = count(sync_state) then (count(*) filter (where sync_state in ('sync', 'quorum', 'potential')))::int end as synchronous
    from pg_stat_replication where state is null or state = 'streaming'`);

/** Standbys that commits may wait for; where their state cannot be seen, all that are connected. */
export const availableStandbys = ({ synchronous, connected }: Replication): number =>
  synchronous ?? connected;

/** Whether commits wait for a standby that is away. */
export const isStandbyMissing = (replication: Replication): boolean =>
  !replication.isStandby && availableStandbys(replication) < replication.required;
