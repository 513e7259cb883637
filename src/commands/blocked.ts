import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { blockName, listBlocked, unblockName } from '../registry/names/reserved-names.ts';
import { nameOf } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson, withReason } from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';

export function blockedCommand(): Command {
  const command = new Command('blocked').description('names that nobody gets');
  withJson(command.command('list'))
    .description('all blocked names')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listBlocked(db), json)),
    );
  changing(withReason(command.command('add <name>')))
    .description('block a name; one that is registered stays registered')
    .action((text: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        const name = nameOf(text);
        await blockName(db, name, change(options.reason));
        printResult(options, `${name} is blocked.`, { name, blocked: true });
      }, options),
    );
  changing(withReason(command.command('remove <name>')))
    .description('unblock a name')
    .action((text: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        const name = nameOf(text);
        if (!(await unblockName(db, name, change(options.reason))))
          throw new CommandError(`${name} is not blocked.`);
        printResult(options, `${name} is not blocked any more.`, { name, blocked: false });
      }, options),
    );
  return command;
}
