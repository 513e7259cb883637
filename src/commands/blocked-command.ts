import { Command } from 'commander';
import { blockName } from '../registry/names/block-name.ts';
import { listBlocked } from '../registry/names/list-blocked.ts';
import { unblockName } from '../registry/names/unblock-name.ts';
import { nameOf } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

export function blockedCommand(): Command {
  const command = new Command('blocked').description('names that nobody gets');
  withJson(command.command('list'))
    .description('all blocked names')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listBlocked(db), json)),
    );
  changing(operating(command.command('add <name>'), blockName))
    .description('block a name; one that is registered stays registered')
    .action(async (text: string, options: Operating) => {
      const { name } = await operate(blockName, { name: nameOf(text) }, options);
      printResult(options, `${name} is blocked.`, { name, blocked: true });
    });
  changing(operating(command.command('remove <name>'), unblockName))
    .description('unblock a name')
    .action(async (text: string, options: Operating) => {
      const { name } = await operate(unblockName, { name: nameOf(text) }, options);
      printResult(options, `${name} is not blocked any more.`, { name, blocked: false });
    });
  return command;
}
