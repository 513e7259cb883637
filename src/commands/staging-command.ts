import { Command } from 'commander';
import { markStagingCopy } from '../installation/mark-staging-copy.ts';
import { readCopy } from '../platform/installation-copy.ts';
import {
  type Changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { printFields } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

export function stagingCommand(): Command {
  const command = new Command('staging').description('copies of the registry for tests');
  const about = 'shown by cadastre staging status';
  irreversible(operating(command.command('on'), markStagingCopy, { about }))
    .description(
      'mark this database as a copy: no mail, no payment, no message and no export leaves it, for good',
    )
    .addHelpText('after', '\nRun it on the copy, with its own DATABASE_URL, before serve and work.')
    .action(async (options: Operating) => {
      const { database, wasCopy } = await operate(markStagingCopy, {}, { ...options, dryRun: true });
      // Of a database that is known to be a copy the answer is expected.
      if (!wasCopy)
        await requireConfirmation(
          options,
          `${database} is not known to be a copy: if it is the registry itself, its mails, payments and messages stop.`,
        );
      await operate(markStagingCopy, {}, options);
      printResult(options, `${database} is a staging copy: nothing leaves it.`, {
        database,
        copy: 'staging',
      });
    });
  withJson(command.command('status'))
    .description('whether this database is a copy, since when and why')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const { state, since, reason } = await readCopy(db);
        printFields({ copy: state ?? 'no', since, reason }, json);
      }),
    );
  return command;
}
