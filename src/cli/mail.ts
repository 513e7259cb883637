import { Command } from 'commander';
import { listUnsent, retryMail } from '../platform/mail/overview.ts';
import { withDatabase } from './connect.ts';
import { CommandError, print, printRows } from './output.ts';

const MOST_LISTED = 1_000;

export function mailCommand(): Command {
  const command = new Command('mail').description('mails that were not sent');
  command
    .command('list')
    .description(
      `mails that wait for their next attempt or were given up, the oldest first, at most ${MOST_LISTED}`,
    )
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listUnsent(sql, MOST_LISTED), json)),
    );
  command
    .command('retry <id...>')
    .description('try mails again at once, and for three days more; also those that were given up')
    .addHelpText('after', '\nExample: cadastre mail retry 17 18')
    .action((texts: string[]) =>
      withDatabase(async ({ sql, now }) => {
        const wrong = texts.find((text) => !/^\d{1,15}$/.test(text));
        if (wrong !== undefined) throw new CommandError(`${wrong} is no id of a mail.`);
        const missing: string[] = [];
        for (const id of texts) {
          if (await retryMail(sql, Number(id), now)) print(`Mail ${id} is due.`);
          else missing.push(id);
        }
        if (missing.length > 0)
          throw new CommandError(`There is no unsent mail with the id ${missing.join(', ')}.`);
      }),
    );
  return command;
}
