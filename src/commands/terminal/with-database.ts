import { type Clock, wallClock } from '../../platform/clock/clock.ts';
import { requireCorrectClock } from '../../platform/clock/require-correct-clock.ts';
import { storedClock } from '../../platform/clock/movable-clock.ts';
import { type Config, type Mode, readConfig } from '../../platform/config/config.ts';
import { locateEmbeddedPostgres } from '../../embedded-postgres/embedded-postgres.ts';
import {
  type Database,
  type DatabaseTarget,
  openAsOwner,
  openDatabase,
} from '../../platform/database/database.ts';
import { codeOf } from '../../platform/database/database-errors.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { installationKind } from '../../platform/migrations/migrate.ts';
import { policy } from '../../policy/installed.ts';
import { CommandError } from './output.ts';

/** The context of an operator's command. */
export type CommandContext = {
  readonly sql: Pool;
  readonly now: Date;
  readonly kind: Mode;
};

export type WholeCommandContext = {
  readonly database: Database;
  readonly kind: Mode;
  /** For reads: it may be wrong. */
  readonly clock: Clock;
  /** For writes: refuses where the clock is wrong. */
  rightClock(): Promise<Clock>;
};

const ONE_OF_EACH = { readConnections: 1, listConnections: 1, writeConnections: 1 } as const;
/** One for all; a second is opened only where a statement must not wait for a transaction. */
export const SHARED = { ...ONE_OF_EACH, writeConnections: 2, sharesWriteConnections: true } as const;
const UNDEFINED_FUNCTION = '42883';
const INSUFFICIENT_PRIVILEGE = '42501';

/** The whole database, for commands with more than one transaction. */
export async function withWholeDatabase<T>(
  work: (parts: WholeCommandContext) => Promise<T>,
  connections: typeof ONE_OF_EACH | typeof SHARED = ONE_OF_EACH,
): Promise<T> {
  const config = readConfig('production');
  const limits = { ...config, ...connections };
  const database = openDatabase(findTarget(config), limits, policy.timeZone);
  try {
    const kind = await kindOf(database);
    const clock = await clockOf(database, kind);
    const rightClock = async () =>
      kind === 'sandbox' ? clock : requireCorrectClock(database.writes, config);
    return await work({ database, kind, clock, rightClock });
  } finally {
    await database.close();
  }
}

/** Reads on the configured database, or on that of the sandbox running here; what changes something is an operation. */
export const withDatabase = <T>(work: (workplace: CommandContext) => Promise<T>): Promise<T> =>
  withWholeDatabase(
    ({ database, kind, clock }) => work({ sql: database.writes, now: clock.now(), kind }),
    SHARED,
  );

export async function withOwner<T>(work: (owner: Pool, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig('production');
  const owner = openAsOwner(findOwnerTarget(config));
  try {
    return await work(owner, config);
  } catch (error) {
    if (codeOf(error) !== INSUFFICIENT_PRIVILEGE || !(error instanceof Error)) throw error;
    const setting = config.ownerUrl === undefined ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
    throw new CommandError(
      `The login of ${setting} does not own the schema (${error.message}). Set DATABASE_OWNER_URL to the login that does.`,
    );
  } finally {
    await owner.close();
  }
}

/** The address of the login that owns the schema. */
export const findOwnerTarget = (config: Config): DatabaseTarget => config.ownerUrl ?? findTarget(config);

function findTarget({ databaseUrl, home }: Config): DatabaseTarget {
  const target = databaseUrl ?? locateEmbeddedPostgres(home);
  if (target !== undefined) return target;
  throw new CommandError(
    `DATABASE_URL is not set, and no sandbox is running on ${home}. Start one with npm start, or set DATABASE_URL.`,
  );
}

/** Over the connection that the command itself uses, which cannot be opened without the functions of the schema. */
async function kindOf({ writes }: Database): Promise<Mode> {
  const kind = await installationKind(writes).catch((error: unknown) => {
    if (codeOf(error) === UNDEFINED_FUNCTION) return undefined;
    throw error;
  });
  if (kind !== undefined) return kind;
  throw new CommandError('The database has no schema yet; run cadastre migrate first.');
}

/** Commands use the server's time: the sandbox's clock may be ahead. */
async function clockOf({ writes }: Database, kind: Mode): Promise<Clock> {
  return kind === 'sandbox' ? storedClock(writes) : wallClock;
}
