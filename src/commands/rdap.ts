import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { moveBy } from '../platform/values/dates.ts';
import { newToken } from '../platform/values/token.ts';
import { policy } from '../policy/installed.ts';
import {
  addRequester,
  listLookupRequests,
  listRequesters,
  revokeRequester,
} from '../registry/lookup/requesters.ts';
import { numberOf, startOfDayOption } from './terminal/arguments.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
  withReason,
} from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';

const DEFAULT_LISTED = 1_000;
const MAX_LISTED = 1_000_000;
const MAX_PURPOSE_LENGTH = 500;

export function rdapCommand(): Command {
  const command = new Command('rdap').description('the public look-up of domains');
  command.addCommand(requesterCommand());
  return command;
}

function requesterCommand(): Command {
  const command = new Command('requester').description(
    'authorised requesters, who see contacts that are hidden from the public; each of their queries is recorded',
  );

  changing(withReason(command.command('add <name>')))
    .description('add a requester and print its bearer token once; the name is never used again')
    .requiredOption('--purpose <text>', 'why it may see hidden contacts, such as the law that allows it')
    .requiredOption('--until <day>', 'the last day on which the token is valid, such as 2031-01-31')
    .addHelpText(
      'after',
      '\nExample: cadastre rdap requester add police-2031 --purpose "Code of Criminal Procedure, § 215" --until 2031-12-31',
    )
    .action((name: string, options: Changing & { purpose: string; until: string }) =>
      withDatabase(async ({ sql: db, now, change }) => {
        if (!/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/.test(name))
          throw new CommandError(
            'The name of a requester has 1 to 63 small letters, digits, dots and hyphens, and begins and ends with a letter or digit.',
          );
        const purpose = options.purpose.trim();
        if (purpose === '' || purpose.length > MAX_PURPOSE_LENGTH)
          throw new CommandError(`--purpose has 1 to ${MAX_PURPOSE_LENGTH} characters.`);
        const expiresAt = endOfDay(options.until);
        if (expiresAt <= now) throw new CommandError('--until is over already.');
        const token = newToken();
        if (!(await addRequester(db, { name, purpose, token, expiresAt }, change(options.reason))))
          throw new CommandError(`There is, or was, a requester ${name}; take another name.`);
        const secret = { said: ` Its token, which is not shown again: ${token}`, shown: { token } };
        const sentence = `${name} sees hidden contacts until ${expiresAt.toISOString()}.`;
        printResult(options, sentence, { name, purpose, expiresAt }, secret);
      }, options),
    );

  withJson(command.command('list'))
    .description('every requester there ever was, the newest first; tokens are not shown')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db, now }) => printRows(await listRequesters(db, now), json)),
    );

  irreversible(withReason(command.command('revoke <name>')))
    .description("revoke a requester's token; every server notices within about a second")
    .action(async (name: string, options: Changing) => {
      await requireConfirmation(options, `The token of ${name} is refused for good.`);
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await revokeRequester(db, name, change(options.reason))))
          throw new CommandError(`There is no requester ${name} to revoke.`);
        printResult(options, `${name} is revoked.`, { name, revoked: true });
      }, options);
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
