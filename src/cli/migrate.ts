import { Command } from 'commander';
import { wallClock } from '../platform/clock.ts';
import { migrate } from '../platform/database/migrate.ts';
import { withOwner } from './connect.ts';
import { CommandError, print, printRows } from './output.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the schema of a production database up to date; an empty one becomes an installation')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      '\nUses DATABASE_OWNER_URL where it is set, else DATABASE_URL. Safe to run on many hosts at once, and to repeat.',
    )
    .action(async ({ json }: { json?: boolean }) => {
      await withOwner(async (owner, config) => {
        if (config.databaseUrl === undefined && config.ownerUrl === undefined)
          throw new CommandError('DATABASE_URL must be set; the sandbox migrates its own database.');
        const applied = await migrate(owner, 'production', wallClock.now());
        if (applied.length > 0 || json)
          printRows(
            applied.map(({ version, name }) => ({ version, name })),
            json,
          );
        else print('The schema is up to date.');
      });
    });
}
