import { Command } from 'commander';
import { withDatabase, withWholeDatabase } from '../app/with-database.ts';
import { markCopy, readCopy } from '../platform/installation-copy.ts';
import { sql } from '../platform/sql/statement.ts';
import {
  type Changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
  withReason,
} from './terminal/changing.ts';
import { CommandError, printFields } from './terminal/output.ts';

export function stagingCommand(): Command {
  const command = new Command('staging').description('copies of the registry for tests');
  irreversible(withReason(command.command('on'), 'shown by cadastre staging status'))
    .description(
      'mark this database as a copy: no mail, no payment, no message and no export leaves it, for good',
    )
    .addHelpText('after', '\nRun it on the copy, with its own DATABASE_URL, before serve and work.')
    .action(async (options: Changing) => {
      const { name, isCopy } = await describeDatabase();
      // Of a database that is known to be a copy the answer is expected.
      if (!isCopy)
        await requireConfirmation(
          options,
          `${name} is not known to be a copy: if it is the registry itself, its mails, payments and messages stop.`,
        );
      await withDatabase(async ({ sql: db, now }) => {
        await markCopy(db, 'staging', { since: now, reason: options.reason ?? null });
        printResult(options, `${name} is a staging copy: nothing leaves it.`, {
          database: name,
          copy: 'staging',
        });
      }, options);
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

const describeDatabase = (): Promise<{ name: string; isCopy: boolean }> =>
  withWholeDatabase(async ({ database: { reads }, kind }) => {
    if (kind === 'sandbox')
      throw new CommandError('Nothing leaves a sandbox anyway; it is no copy of a registry.');
    const { state } = await readCopy(reads);
    const { name } = await reads.one(sql<{ name: string }>`select current_database() as name`);
    return { name, isCopy: state !== undefined };
  });
