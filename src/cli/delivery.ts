import { Command } from 'commander';
import { listUndelivered, retryDelivery } from '../billing/deliveries/overview.ts';
import { withDatabase } from './connect.ts';
import { CommandError, print, printRows } from './output.ts';

const MOST_LISTED = 1_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function deliveryCommand(): Command {
  const command = new Command('delivery').description('messages to other services that were not delivered');
  command
    .command('list')
    .description(
      `messages that wait for their next attempt or were given up, the oldest first, at most ${MOST_LISTED}`,
    )
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listUndelivered(sql, MOST_LISTED), json)),
    );
  command
    .command('retry <id...>')
    .description('try messages again at once, and for three days more; also those that were given up')
    .addHelpText('after', '\nExample: cadastre delivery retry 0b6d2c1e-8a3f-4f57-9a41-6f0c2f4f7a10')
    .action((ids: string[]) =>
      withDatabase(async ({ sql, now }) => {
        const wrong = ids.find((id) => !ID.test(id));
        if (wrong !== undefined) throw new CommandError(`${wrong} is no id of a message.`);
        const missing: string[] = [];
        for (const id of ids) {
          if (await retryDelivery(sql, id, now)) print(`Message ${id} is due.`);
          else missing.push(id);
        }
        if (missing.length > 0)
          throw new CommandError(`There is no undelivered message with the id ${missing.join(', ')}.`);
      }),
    );
  return command;
}
