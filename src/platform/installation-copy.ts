import { addressesOf, type DatabaseTarget } from './database/database.ts';
import type { Sql } from './sql/executor.ts';
import { sql } from './sql/statement.ts';

/** A copy that nobody has declared yet, or one for tests that must not reach anybody outside. */
export type CopyState = 'unconfirmed' | 'staging';

/** Where the database of an installation is. A standby has the same identifier and oid; a restored dump does not. */
export type DatabasePlace = {
  /** Null where the login may not read it. */
  readonly systemIdentifier: string | null;
  readonly databaseOid: number;
  /** Empty where the address leads to the machine itself, which says nothing. */
  readonly hosts: readonly string[];
};

export type InstallationCopy = {
  readonly state: CopyState | undefined;
  readonly since: Date | undefined;
  readonly reason: string | undefined;
  /** Undefined before the first `work` of this version. */
  readonly recorded: DatabasePlace | undefined;
};

/** The first migration that can store any of this. */
export const COPY_MIGRATION = 29;

type Stored = {
  readonly state: CopyState | null;
  readonly since: Date | null;
  readonly reason: string | null;
  readonly systemIdentifier: string | null;
  readonly databaseOid: number | null;
  readonly hosts: readonly string[] | null;
};

export async function readCopy(db: Sql): Promise<InstallationCopy> {
  const { state, since, reason, systemIdentifier, databaseOid, hosts } = await db.one(sql<Stored>`
    select copy_state as state, copy_since as since, copy_reason as reason, system_identifier as "systemIdentifier",
      database_oid as "databaseOid", database_hosts as hosts
    from installation`);
  return {
    state: state ?? undefined,
    since: since ?? undefined,
    reason: reason ?? undefined,
    recorded: databaseOid === null ? undefined : { systemIdentifier, databaseOid, hosts: hosts ?? [] },
  };
}

/** Whether `recovery repair` was run on a restored database; repairs of the original came with its rows. */
export async function isRepairedSince(db: Sql, since: Date): Promise<boolean> {
  const { isRepaired } = await db.one(sql<{ isRepaired: boolean }>`
    select exists (select from recoveries where at >= ${since}) as "isRepaired"`);
  return isRepaired;
}

/** Marks a database that was restored and that nobody has declared yet. */
export async function markUnconfirmed(
  db: Sql,
  { since, reason }: { readonly since: Date; readonly reason: string },
): Promise<void> {
  await db.run(sql`
    update installation set copy_state = 'unconfirmed', copy_since = ${since}, copy_reason = ${reason}`);
}

/** The reason of a copy that was restored from a backup. */
export const describeRestored = (database: string, dataTime: string): string =>
  `restored from the backup of ${database} of ${dataTime}`;

const RESTORED = /^restored from the backup of .* of (\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/** The time of the data in the backup that an unconfirmed copy was restored from, by its reason. */
export function restoredDataTime({ state, reason }: InstallationCopy): Date | undefined {
  const time = state === 'unconfirmed' ? RESTORED.exec(reason ?? '')?.[1] : undefined;
  return time === undefined ? undefined : new Date(time);
}

/** Records that the database in this place is the registry itself. */
export async function recordOriginal(db: Sql, place: DatabasePlace): Promise<void> {
  await db.run(sql`
    update installation set copy_state = null, copy_since = null, copy_reason = null,
      system_identifier = ${place.systemIdentifier}, database_oid = ${place.databaseOid}, database_hosts = ${[...place.hosts]}`);
}

export async function readPlace(db: Sql, target: DatabaseTarget): Promise<DatabasePlace> {
  const { oid } = await db.one(sql<{ oid: number }>`
    select oid::bigint as oid from pg_database where datname = current_database()`);
  // Some hosts of PostgreSQL do not let their customers read it.
  const control = await db
    .maybe(sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`)
    .catch(() => undefined);
  return { systemIdentifier: control?.id ?? null, databaseOid: oid, hosts: hostsOf(target) };
}

const LOOPBACK = /^(\/|localhost$|127\.|::1$)/;
const hostsOf = (target: DatabaseTarget): string[] => {
  const hosts = addressesOf(target).servers.map(({ host }) => host);
  return hosts.some((host) => LOOPBACK.test(host)) ? [] : hosts;
};

/** What differs between the recorded place and this one; undefined where nothing does that can be compared. */
export function describeMove(recorded: DatabasePlace, here: DatabasePlace): string | undefined {
  if (
    recorded.systemIdentifier !== null &&
    here.systemIdentifier !== null &&
    recorded.systemIdentifier !== here.systemIdentifier
  )
    return `it was on the PostgreSQL cluster ${recorded.systemIdentifier} and is on ${here.systemIdentifier}`;
  if (recorded.databaseOid !== here.databaseOid)
    return `it was the database with oid ${recorded.databaseOid} and is the one with ${here.databaseOid}`;
  const isElsewhere =
    recorded.hosts.length > 0 &&
    here.hosts.length > 0 &&
    !here.hosts.some((host) => recorded.hosts.includes(host));
  return isElsewhere
    ? `it was at ${recorded.hosts.join(', ')} and is at ${here.hosts.join(', ')}`
    : undefined;
}
