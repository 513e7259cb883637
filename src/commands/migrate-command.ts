import { Command } from 'commander';
import type { Config } from '../platform/config/config.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { setLoginDefaults } from '../platform/database/login-defaults.ts';
import { installationKind, migrate, pendingMigrations } from '../platform/migrations/migrate.ts';
import type { Migration } from '../platform/migrations/migration.ts';
import { LOCK_TIMEOUT_MS } from '../platform/migrations/migration-lock.ts';
import { describeMigrations } from '../platform/migrations/migration-plan.ts';
import { examineSchema } from '../platform/migrations/schema-fit.ts';
import { policy } from '../policy/installed.ts';
import { type Changing, changing } from './terminal/changing.ts';
import { CommandError, print, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { requireCorrectClock } from '../platform/clock/require-correct-clock.ts';
import { withOwner } from './terminal/with-database.ts';

type Options = Changing & { readonly plan?: boolean };

export function migrateCommand(): Command {
  return changing(new Command('migrate'))
    .description('bring the schema of a production database up to date; an empty one becomes an installation')
    .option('--plan', 'say what each pending statement locks, and for how long; nothing is changed')
    .addHelpText(
      'after',
      '\nUses DATABASE_OWNER_URL where it is set, else DATABASE_URL. Where DATABASE_URL leads to a pooler (pooler=transaction), it also sets the defaults of that login. Safe to run on many hosts at once, to stop, and to repeat; servers go on meanwhile.',
    )
    .action(async (options: Options) => {
      await withOwner(async (owner, config) => {
        if (config.databaseUrl === undefined && config.ownerUrl === undefined)
          throw new CommandError('DATABASE_URL must be set; the sandbox migrates its own database.');
        const clock = await requireCorrectClock(owner, config);
        if (options.plan) return printPlan(owner, options);
        const { dryRun } = options;
        const applied = dryRun
          ? await pendingMigrations(owner, 'production')
          : await withProgress('migrating', (show) =>
              migrate(owner, 'production', clock.now(), undefined, { onProgress: show }),
            );
        await printMigrations(owner, applied, options);
        if (config.databaseUrl === undefined) return;
        await setDefaults(config.databaseUrl, config, options);
      });
    });
}

async function printMigrations(owner: Pool, applied: readonly Migration[], { json, dryRun }: Options) {
  if (dryRun && !json && applied.length > 0) print('Dry run: nothing was changed. It would apply:');
  if (applied.length > 0 || json)
    printRows(
      applied.map(({ version, name }) => ({ version, name })),
      json,
    );
  else print(await describeSchema(owner));
}

async function describeSchema(owner: Pool): Promise<string> {
  const { unknown } = await examineSchema(owner);
  const newer = unknown.at(-1);
  return newer === undefined
    ? 'The schema is up to date.'
    : `The schema is newer than this program: it has migration ${newer.version} (${newer.name}). This program still runs on it; nothing was changed.`;
}

async function printPlan(owner: Pool, { json }: Options): Promise<void> {
  const pending = await pendingMigrations(owner, 'production');
  const isNew = (await installationKind(owner)) === undefined;
  const rows = isNew ? [] : await describeMigrations(owner, pending);
  if (json || rows.length > 0) printRows(rows, json);
  if (json) return;
  if (isNew) print('The database is empty: everything is created in one transaction, and nobody waits.');
  else if (pending.length === 0) print(await describeSchema(owner));
  else {
    print(
      `Durations are estimates from the size of the tables. A statement that does not get its lock within ${LOCK_TIMEOUT_MS} ms gives up and is repeated, so that requests never wait longer than that for a lock that is waited for.`,
    );
    for (const { version, minProgramSchema } of pending)
      if (minProgramSchema !== undefined && minProgramSchema >= version)
        print(
          `Programs that do not know migration ${minProgramSchema} cannot run after migration ${version}: stop them first.`,
        );
  }
}

async function setDefaults(databaseUrl: string, config: Config, { json, dryRun }: Options): Promise<void> {
  const defaults = await setLoginDefaults(databaseUrl, config, policy.timeZone, { dryRun });
  if (defaults.length === 0 || json) return;
  const list = defaults.map(({ name, value }) => `${name}=${value}`).join(', ');
  print(`${dryRun ? 'It would set' : 'Set'} as defaults of the login of DATABASE_URL: ${list}.`);
}
