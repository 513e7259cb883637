import { Command, Option } from 'commander';
import { disableByOperator } from '../registry/webhooks/disable-by-operator.ts';
import { enableByOperator } from '../registry/webhooks/enable-by-operator.ts';
import { type DeliveryState, deliveryStates } from '../registry/webhooks/list-deliveries.ts';
import { replayByOperator } from '../registry/webhooks/replay-by-operator.ts';
import {
  type EndpointRecord,
  findEndpointRecord,
  listAllEndpoints,
  listDeliveriesOf,
} from '../registry/webhooks/webhook-view.ts';
import { numberOf, startOfDayOption } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { type CommandContext, withDatabase } from './terminal/with-database.ts';

const DEFAULT_LISTED = 100;
const MAX_LISTED = 10_000;

export function webhookCommand(): Command {
  const command = new Command('webhook').description(
    'webhook endpoints of registrars, and what is sent to them',
  );

  withJson(command.command('list [registrar]'))
    .description('the endpoints, of all registrars or of one')
    .action((registrar: string | undefined, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listAllEndpoints(db, registrar), json)),
    );

  withJson(command.command('show <id>'))
    .description('one endpoint')
    .action((id: string, { json }: Changing) =>
      withDatabase(async (context) => printRows([await requireFound(context, id)], json)),
    );

  withJson(command.command('deliveries <id>'))
    .description('what was sent to an endpoint and what waits, of the last 30 days, the newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices([...deliveryStates]))
    .option('--limit <number>', 'at most so many', String(DEFAULT_LISTED))
    .action((id: string, { json, state, ...options }: Changing & { state?: DeliveryState; limit: string }) =>
      withDatabase(async (context) => {
        const limit = numberOf(options.limit);
        if (limit < 1 || limit > MAX_LISTED) throw new CommandError(`--limit is 1 to ${MAX_LISTED}.`);
        await requireFound(context, id);
        printRows(await listDeliveriesOf(context.sql, id, { state, limit }), json);
      }),
    );

  changing(operating(command.command('disable <id>'), disableByOperator))
    .description('stop all deliveries to an endpoint; the registrar is told by poll message and mail')
    .addHelpText(
      'after',
      '\nExample: cadastre webhook disable whe_5f3a0c1e9b7d2468 --for-registrar "it is not theirs"',
    )
    .action(async (id: string, options: Operating) => {
      await operate(disableByOperator, { id }, options);
      printResult(options, `${id} is disabled.`, { id, disabled: true });
    });

  changing(operating(command.command('enable <id>'), enableByOperator))
    .description('deliver to an endpoint again; what failed meanwhile is sent by replay')
    .action(async (id: string, options: Operating) => {
      await operate(enableByOperator, { id }, options);
      printResult(options, `${id} is enabled.`, { id, enabled: true });
    });

  changing(operating(command.command('replay <id>'), replayByOperator))
    .description('send events again, under their ids: those that failed, or one of any state')
    .option('--event <id>', 'only this one')
    .option('--since <day>', 'only those that failed and are of this day or later, such as 2031-01-31')
    .action(async (id: string, options: Operating & { event?: string; since?: string }) => {
      const { event } = options;
      const which = event === undefined ? { since: startOfDayOption('--since', options.since) } : { event };
      const { replayed } = await operate(replayByOperator, { id, ...which }, options);
      printResult(options, `${replayed === 1 ? '1 event is' : `${replayed} events are`} due.`, { replayed });
    });
  return command;
}

const requireFound = async ({ sql: db }: CommandContext, id: string): Promise<EndpointRecord> => {
  const found = await findEndpointRecord(db, id);
  if (!found) throw new CommandError(`There is no webhook endpoint ${id}.`);
  return found;
};
