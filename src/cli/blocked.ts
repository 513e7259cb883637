import { Command } from 'commander';
import { blockName, listBlocked, unblockName } from '../registry/names/lists.ts';
import { withDatabase } from './connect.ts';
import { nameOf } from './names.ts';
import { CommandError, print, printRows } from './output.ts';

export function blockedCommand(): Command {
  const command = new Command('blocked').description('names that nobody gets');
  command
    .command('list')
    .description('all blocked names')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listBlocked(sql), json)),
    );
  for (const [verb, about, act, done, missing] of [
    [
      'add',
      'block a name; one that is registered stays registered',
      (...args: Parameters<typeof blockName>) => blockName(...args).then(() => true),
      'blocked',
      '',
    ],
    ['remove', 'unblock a name', unblockName, 'not blocked any more', 'not blocked'],
  ] as const) {
    command
      .command(`${verb} <name>`)
      .description(about)
      .option('--reason <text>', 'kept in history')
      .action((text: string, { reason }: { reason?: string }) =>
        withDatabase(async ({ sql, change }) => {
          const name = nameOf(text);
          if (!(await act(sql, name, change(reason)))) throw new CommandError(`${name} is ${missing}.`);
          print(`${name} is ${done}.`);
        }),
      );
  }
  return command;
}
