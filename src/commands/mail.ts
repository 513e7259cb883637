import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { listUnsent, retryMail } from '../platform/mail/mail-view.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';

const MAX_LISTED = 1_000;

export function mailCommand(): Command {
  const command = new Command('mail').description('mails that were not sent');
  withJson(command.command('list'))
    .description(
      `mails that wait for their next attempt or were given up, the oldest first, at most ${MAX_LISTED}`,
    )
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listUnsent(db, MAX_LISTED), json)),
    );
  changing(command.command('retry <id...>'))
    .description('try mails again at once, and for three days more; also those that were given up')
    .addHelpText('after', '\nExample: cadastre mail retry 17 18')
    .action((texts: string[], options: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        const wrong = texts.find((text) => !/^\d{1,15}$/.test(text));
        if (wrong !== undefined) throw new CommandError(`${wrong} is no id of a mail.`);
        const [due, missing]: [string[], string[]] = [[], []];
        for (const id of texts) ((await retryMail(db, Number(id), now)) ? due : missing).push(id);
        if (due.length > 0) printResult(options, due.map((id) => `Mail ${id} is due.`).join('\n'), { due });
        if (missing.length > 0)
          throw new CommandError(`There is no unsent mail with the id ${missing.join(', ')}.`);
      }, options),
    );
  return command;
}
