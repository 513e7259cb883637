import { Command, Option } from 'commander';
import { type CommandContext, withDatabase } from '../app/with-database.ts';
import { disableEndpoint } from '../registry/webhooks/disable-endpoint.ts';
import { type DeliveryState, deliveryStates } from '../registry/webhooks/list-deliveries.ts';
import {
  type EndpointRecord,
  enableEndpoint,
  findEndpointRecord,
  listAllEndpoints,
  listDeliveriesOf,
  replayByOperator,
} from '../registry/webhooks/webhook-view.ts';
import { numberOf, startOfDayOption } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson, withReason } from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';

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

  changing(withReason(command.command('disable <id>')))
    .description('stop all deliveries to an endpoint; the registrar is told by poll message and mail')
    .addHelpText(
      'after',
      '\nExample: cadastre webhook disable whe_5f3a0c1e9b7d2468 --reason "it is not theirs"',
    )
    .action((id: string, options: Changing) =>
      withDatabase(async (context) => {
        await requireFound(context, id);
        const { actor, at, reason } = context.change(options.reason);
        const disabledReason = reason === undefined ? 'by the registry' : `by the registry, ${reason}`;
        const isDone = await context.sql.begin((db) =>
          disableEndpoint(db, id, disabledReason, { actor, now: at, reason: { text: reason } }),
        );
        if (!isDone) throw new CommandError(`${id} is disabled already.`);
        printResult(options, `${id} is disabled.`, { id, disabled: true });
      }, options),
    );

  changing(withReason(command.command('enable <id>')))
    .description('deliver to an endpoint again; what failed meanwhile is sent by replay')
    .action((id: string, options: Changing) =>
      withDatabase(async (context) => {
        await requireFound(context, id);
        if (!(await enableEndpoint(context.sql, id, context.change(options.reason))))
          throw new CommandError(`${id} is not disabled.`);
        printResult(options, `${id} is enabled.`, { id, enabled: true });
      }, options),
    );

  changing(command.command('replay <id>'))
    .description('send events again, under their ids: those that failed, or one of any state')
    .option('--event <id>', 'only this one')
    .option('--since <day>', 'only those that failed and are of this day or later, such as 2031-01-31')
    .action((id: string, options: Changing & { event?: string; since?: string }) =>
      withDatabase(async (context) => {
        await requireFound(context, id);
        const { event } = options;
        const which = event === undefined ? { since: startOfDayOption('--since', options.since) } : { event };
        const count = await replayByOperator(context.sql, id, which, context.now);
        if (count === undefined) throw new CommandError(`${id} is disabled; enable it first.`);
        if (event !== undefined && count === 0) throw new CommandError(`${id} never had an event ${event}.`);
        printResult(options, `${count === 1 ? '1 event is' : `${count} events are`} due.`, {
          replayed: count,
        });
      }, options),
    );
  return command;
}

const requireFound = async ({ sql: db }: CommandContext, id: string): Promise<EndpointRecord> => {
  const found = await findEndpointRecord(db, id);
  if (!found) throw new CommandError(`There is no webhook endpoint ${id}.`);
  return found;
};
