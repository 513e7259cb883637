import { Command } from 'commander';
import { moveBy } from '../platform/values/dates.ts';
import { policy } from '../policy/installed.ts';
import { addRequester } from '../registry/lookup/add-requester.ts';
import { listLookupRequests, listRequesters } from '../registry/lookup/requesters.ts';
import { revokeRequester } from '../registry/lookup/revoke-requester.ts';
import { numberOf, startOfDayOption } from './terminal/arguments.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

const DEFAULT_LISTED = 1_000;
const MAX_LISTED = 1_000_000;

export function rdapCommand(): Command {
  const command = new Command('rdap').description('the public look-up of domains');
  command.addCommand(requesterCommand());
  return command;
}

function requesterCommand(): Command {
  const command = new Command('requester').description(
    'authorised requesters, who see contacts that are hidden from the public; each of their queries is recorded',
  );

  changing(operating(command.command('add <name>'), addRequester))
    .description('add a requester and print its bearer token once; the name is never used again')
    .requiredOption('--purpose <text>', 'why it may see hidden contacts, such as the law that allows it')
    .requiredOption('--until <day>', 'the last day on which the token is valid, such as 2031-01-31')
    .addHelpText(
      'after',
      '\nExample: cadastre rdap requester add police-2031 --purpose "Code of Criminal Procedure, § 215" --until 2031-12-31',
    )
    .action(async (given: string, options: Operating & { purpose: string; until: string }) => {
      const wanted = { name: given, purpose: options.purpose, expiresAt: endOfDay(options.until) };
      const { name, purpose, expiresAt, token } = await operate(addRequester, wanted, options);
      const secret = { said: ` Its token, which is not shown again: ${token}`, shown: { token } };
      const sentence = `${name} sees hidden contacts until ${expiresAt.toISOString()}.`;
      printResult(options, sentence, { name, purpose, expiresAt }, secret);
    });

  withJson(command.command('list'))
    .description('every requester there ever was, the newest first; tokens are not shown')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db, now }) => printRows(await listRequesters(db, now), json)),
    );

  irreversible(operating(command.command('revoke <name>'), revokeRequester))
    .description("revoke a requester's token; every server notices within about a second")
    .action(async (name: string, options: Operating) => {
      await requireConfirmation(options, `The token of ${name} is refused for good.`);
      await operate(revokeRequester, { name }, options);
      printResult(options, `${name} is revoked.`, { name, revoked: true });
    });

  withJson(command.command('requests [name]'))
    .description('what requesters have asked for, the newest first')
    .option('--limit <number>', 'at most so many', String(DEFAULT_LISTED))
    .option('--since <day>', 'only what was asked on this day or later, such as 2031-01-31')
    .action((name: string | undefined, { json, ...options }: Changing & { limit: string; since?: string }) =>
      withDatabase(async ({ sql: db, now }) => {
        const limit = numberOf(options.limit);
        if (limit < 1 || limit > MAX_LISTED) throw new CommandError(`--limit is 1 to ${MAX_LISTED}.`);
        const since = startOfDayOption('--since', options.since);
        if (name !== undefined && !(await listRequesters(db, now)).some((each) => each.name === name))
          throw new CommandError(`There never was a requester ${name}.`);
        printRows(await listLookupRequests(db, { requester: name, since, limit }), json);
      }),
    );
  return command;
}

/** The start of the day after, in the registry's zone. */
function endOfDay(text: string): Date {
  const start = startOfDayOption('--until', text);
  return (start && moveBy(start, 'P1D', policy.timeZone)) ?? new Date(Number.NaN);
}
