import { Argument, Command, Option } from 'commander';
import { textOf } from '../operations/refusal.ts';
import { policy } from '../policy/installed.ts';
import { cancelServerStatus } from '../registry/domains/cancel-server-status.ts';
import { type HoldSince, readHolds } from '../registry/domains/readings/held-domains.ts';
import { listDomains, showDomain } from '../registry/domains/readings/operator-view.ts';
import { formatLocalTime } from '../registry/domains/rules/periods.ts';
import { restoreDomain } from '../registry/domains/restore-domain.ts';
import { type ServerStatus, serverStatuses, setServerStatus } from '../registry/domains/set-server-status.ts';
import { type HoldCause, holdCauses, storedStatuses } from '../registry/domains/rules/domain-statuses.ts';
import { refusal } from '../registry/operator-refusals.ts';
import { nameOf, startOfDayOption } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printFields, printJson, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

const MAX_LISTED = 1_000;

type Filter = {
  readonly registrar?: string;
  readonly status?: string;
  readonly heldBy?: HoldCause;
  readonly expiresBefore?: string;
};

export function domainCommand(): Command {
  const command = new Command('domain').description("the operator's hand on one domain");
  withJson(command.command('list'))
    .description(`domains by name, at most ${MAX_LISTED}`)
    .option('--registrar <code>', 'only those that it sponsors')
    .addOption(new Option('--status <status>', 'only those with this status').choices(storedStatuses))
    .addOption(
      new Option('--held-by <cause>', 'only those whose serverHold has this cause').choices(holdCauses),
    )
    .option('--expires-before <day>', 'only those that expire before this day, yyyy-mm-dd')
    .action((options: Changing & Filter) =>
      withDatabase(async ({ sql: db }) => {
        const { registrar, status, heldBy } = options;
        const expiresBefore = startOfDayOption('--expires-before', options.expiresBefore);
        printRows(
          await listDomains(db, { registrar, status, heldBy, expiresBefore }, MAX_LISTED),
          options.json,
        );
      }),
    );
  withJson(command.command('show <domain>'))
    .description('one domain with its people, its servers and its days; the transfer code is not shown')
    .action((text: string, { json }: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        const name = nameOf(text);
        const domain = await showDomain(db, name, now);
        if (!domain) throw new CommandError(`${name} is not registered.`);
        const holds = await readHolds(db, name);
        if (json) printJson({ ...domain, holds });
        else printFields({ ...domain, holds: holds.map(formatHold) }, json);
      }),
    );
  changing(operating(command.command('restore <domain>'), restoreDomain))
    .description('keep a domain that was deleted or is about to go')
    .action(async (text: string, options: Operating) => {
      const { name, statuses } = await operate(restoreDomain, { name: nameOf(text) }, options);
      printResult(options, `${name} is restored.`, { name, statuses });
    });
  const statusArgument = () => new Argument('<status>', 'a status of the registry').choices(serverStatuses);
  changing(operating(command.command('set-status <domain>'), setServerStatus))
    .description('set a status of the registry; the sponsor is notified')
    .addArgument(statusArgument())
    .option('--note <text>', 'shown with the status', '')
    .action(async (text: string, status: ServerStatus, options: Operating & { note: string }) => {
      const wanted = { name: nameOf(text), status, note: options.note };
      const { name, statuses } = await operate(setServerStatus, wanted, options);
      printResult(options, `${name} has ${status}.`, { name, statuses });
    });
  changing(operating(command.command('cancel-status <domain>'), cancelServerStatus))
    .description('remove a status of the registry; the sponsor is notified')
    .addArgument(statusArgument())
    .action(async (text: string, status: ServerStatus, options: Operating) => {
      const unwanted = { name: nameOf(text), status };
      const { name, statuses } = await operate(cancelServerStatus, unwanted, options);
      const sentence = statuses.includes(status)
        ? `${textOf(refusal('heldByExpiry', { name }))}.`
        : `${name} does not have ${status} any more.`;
      printResult(options, sentence, { name, statuses });
    });
  return command;
}

const formatHold = ({ cause, since }: HoldSince): string =>
  `${cause} since ${formatLocalTime(since, policy)}`;
