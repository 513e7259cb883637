import { Argument, Command, Option } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { policy } from '../policy/installed.ts';
import {
  cancelServerStatus,
  type ServerStatus,
  serverStatuses,
  setServerStatus,
} from '../registry/domains/change-status.ts';
import { restoreDomain } from '../registry/domains/delete.ts';
import type { Domain } from '../registry/domains/domain.ts';
import { type HoldSince, readHolds } from '../registry/domains/held-domains.ts';
import { listDomains, showDomain } from '../registry/domains/operator-view.ts';
import { formatLocalTime } from '../registry/domains/periods.ts';
import { type HoldCause, holdCauses, storedStatuses } from '../registry/domains/statuses.ts';
import { changeDomain } from './change-domain.ts';
import { nameOf, startOfDayOption } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson, withReason } from './terminal/changing.ts';
import { CommandError, printFields, printJson, printRows } from './terminal/output.ts';

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
  changing(withReason(command.command('restore <domain>')))
    .description('keep a domain that was deleted or is about to go')
    .action(async (text: string, options: Changing) => {
      const refused = ({ name: domainName }: Domain) => `${domainName} is not on its way out.`;
      const { name, statuses } = await changeDomain(text, restoreDomain, { ...options, refused });
      printResult(options, `${name} is restored.`, { name, statuses: Object.keys(statuses) });
    });
  const status = () => new Argument('<status>', 'a status of the registry').choices(serverStatuses);
  changing(withReason(command.command('set-status <domain>')))
    .description('set a status of the registry; the sponsor is notified')
    .addArgument(status())
    .option('--note <text>', 'shown with the status', '')
    .action(async (text: string, wanted: ServerStatus, options: Changing & { note: string }) => {
      const refused = ({ name: domainName }: Domain) =>
        `${domainName} has a status that contradicts ${wanted}.`;
      const { name, statuses } = await changeDomain(
        text,
        (domain) => setServerStatus(domain, { status: wanted, note: options.note }),
        { ...options, refused },
      );
      printResult(options, `${name} has ${wanted}.`, { name, statuses: Object.keys(statuses) });
    });
  changing(withReason(command.command('cancel-status <domain>')))
    .description('remove a status of the registry; the sponsor is notified')
    .addArgument(status())
    .action(async (text: string, wanted: ServerStatus, options: Changing) => {
      const refused = ({ name: domainName, statuses: found }: Domain) =>
        wanted in found ? heldByExpiry(domainName) : `${domainName} does not have ${wanted}.`;
      const { name, statuses } = await changeDomain(
        text,
        (domain, context) => cancelServerStatus(domain, wanted, context),
        { ...options, refused },
      );
      const sentence = wanted in statuses ? heldByExpiry(name) : `${name} does not have ${wanted} any more.`;
      printResult(options, sentence, { name, statuses: Object.keys(statuses) });
    });
  return command;
}

/** Until another cause exists, what is not the registry's is expiry's. */
const heldByExpiry = (name: string): string =>
  `${name} has serverHold by its expiry or deletion, which a renewal ends; serverManualInzone keeps it in the zone.`;

const formatHold = ({ cause, since }: HoldSince): string =>
  `${cause} since ${formatLocalTime(since, policy)}`;
