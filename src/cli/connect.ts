import { type Clock, wallClock } from '../platform/clock.ts';
import { type Config, type Mode, readConfig } from '../platform/config.ts';
import { locateEmbeddedPostgres } from '../platform/database/embedded.ts';
import { installationKind } from '../platform/database/migrate.ts';
import { rehearse } from '../platform/database/rehearse.ts';
import { type Database, type DatabaseTarget, openAsOwner, openDatabase } from '../platform/sql/database.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { ee } from '../policy/ee.ts';
import { type Change, operatorName } from '../registry/registrars/operator.ts';
import type { Changing } from './changing.ts';
import { CommandError } from './output.ts';
import { keptClock } from './sandbox-powers.ts';

/** What an operator's command works on. */
export type Workplace = { readonly sql: Pool; readonly now: Date; change(reason?: string): Change };

/** The whole database, for what needs more than one transaction: no dry run goes this way. */
export async function withWholeDatabase<T>(
  work: (parts: { readonly database: Database; readonly clock: Clock; readonly kind: Mode }) => Promise<T>,
): Promise<T> {
  const config = readConfig('production');
  const limits = { ...config, readConnections: 1, listConnections: 1, writeConnections: 1 };
  const database = openDatabase(findTarget(config), limits, ee.timeZone);
  try {
    const kind = await kindOf(database);
    return await work({ database, kind, clock: await clockOf(database, kind) });
  } finally {
    await database.close();
  }
}

/** Works on the configured database, or on that of the sandbox running here. After a dry run nothing of it stays. */
export async function withDatabase<T>(
  work: (workplace: Workplace) => Promise<T>,
  { dryRun = false }: Pick<Changing, 'dryRun'> = {},
): Promise<T> {
  return withWholeDatabase(({ database, clock }) => {
    const now = clock.now();
    const change = (reason?: string) => ({ actor: operatorName(), at: now, reason });
    const on = (db: Pool) => work({ sql: db, now, change });
    return dryRun ? rehearse(database.writes, on) : on(database.writes);
  });
}

export async function withOwner<T>(work: (owner: Pool, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig('production');
  const owner = openAsOwner(config.ownerUrl ?? findTarget(config));
  try {
    return await work(owner, config);
  } finally {
    await owner.close();
  }
}

function findTarget({ databaseUrl, home }: Config): DatabaseTarget {
  const target = databaseUrl ?? locateEmbeddedPostgres(home);
  if (target !== undefined) return target;
  throw new CommandError(
    `DATABASE_URL is not set, and no sandbox is running on ${home}. Start one with npm start, or set DATABASE_URL.`,
  );
}

async function kindOf({ reads }: Database): Promise<Mode> {
  const kind = await installationKind(reads);
  if (kind !== undefined) return kind;
  throw new CommandError('The database has no schema yet; run cadastre migrate first.');
}

/** Commands see the same time as the server: the sandbox's clock may be ahead. */
async function clockOf({ reads }: Database, kind: Mode): Promise<Clock> {
  return kind === 'sandbox' ? keptClock(reads) : wallClock;
}
