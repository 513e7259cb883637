import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { listUndelivered, retryDelivery } from '../billing/deliveries/delivery-view.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';

const MAX_LISTED = 1_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function deliveryCommand(): Command {
  const command = new Command('delivery').description('messages to other services that were not delivered');
  withJson(command.command('list'))
    .description(
      `messages that wait for their next attempt or were given up, the oldest first, at most ${MAX_LISTED}`,
    )
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listUndelivered(db, MAX_LISTED), json)),
    );
  changing(command.command('retry <id...>'))
    .description('try messages again at once, and for three days more; also those that were given up')
    .addHelpText('after', '\nExample: cadastre delivery retry 0b6d2c1e-8a3f-4f57-9a41-6f0c2f4f7a10')
    .action((ids: string[], options: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        const wrong = ids.find((id) => !ID.test(id));
        if (wrong !== undefined) throw new CommandError(`${wrong} is no id of a message.`);
        const [due, missing]: [string[], string[]] = [[], []];
        for (const id of ids) ((await retryDelivery(db, id, now)) ? due : missing).push(id);
        if (due.length > 0)
          printResult(options, due.map((id) => `Message ${id} is due.`).join('\n'), { due });
        if (missing.length > 0)
          throw new CommandError(`There is no undelivered message with the id ${missing.join(', ')}.`);
      }, options),
    );
  return command;
}
