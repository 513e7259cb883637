import { Command } from 'commander';
import { requireCorrectClock, withOwner } from '../app/with-database.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { setLoginDefaults } from '../platform/sql/login-defaults.ts';
import { migrate } from '../platform/sql/migrate.ts';
import { runAndRollBack } from '../platform/sql/run-and-roll-back.ts';
import { policy } from '../policy/installed.ts';
import { type Changing, changing } from './terminal/changing.ts';
import { CommandError, print, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';

export function migrateCommand(): Command {
  return changing(new Command('migrate'))
    .description('bring the schema of a production database up to date; an empty one becomes an installation')
    .addHelpText(
      'after',
      '\nUses DATABASE_OWNER_URL where it is set, else DATABASE_URL. Where DATABASE_URL leads to a pooler (pooler=transaction), it also sets the defaults of that login. Safe to run on many hosts at once, and to repeat.',
    )
    .action(async ({ json, dryRun }: Changing) => {
      await withOwner(async (owner, config) => {
        if (config.databaseUrl === undefined && config.ownerUrl === undefined)
          throw new CommandError('DATABASE_URL must be set; the sandbox migrates its own database.');
        const clock = await requireCorrectClock(owner, config);
        const apply = (db: Pool) => migrate(db, 'production', clock.now());
        const applied = await withProgress('migrating', () =>
          dryRun ? runAndRollBack(owner, apply) : apply(owner),
        );
        if (dryRun && !json && applied.length > 0) print('Dry run: nothing was changed. It would apply:');
        if (applied.length > 0 || json)
          printRows(
            applied.map(({ version, name }) => ({ version, name })),
            json,
          );
        else print('The schema is up to date.');
        const { databaseUrl } = config;
        if (databaseUrl === undefined) return;
        const defaults = await setLoginDefaults(databaseUrl, config, policy.timeZone, { dryRun });
        if (defaults.length > 0 && !json)
          print(
            `${dryRun ? 'It would set' : 'Set'} as defaults of the login of DATABASE_URL: ${defaults.map(({ name, value }) => `${name}=${value}`).join(', ')}.`,
          );
      });
    });
}
