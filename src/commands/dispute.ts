import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { moveBy } from '../platform/values/dates.ts';
import { policy } from '../policy/installed.ts';
import { formatLocalTime } from '../registry/domains/periods.ts';
import { closeDispute, type Dispute, listDisputes, openDispute } from '../registry/names/disputes.ts';
import { nameOf } from './terminal/arguments.ts';
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

/** Times in the registry's zone; JSON has them with their offset. */
const forPeople = ({ name, startsAt, expiresAt }: Dispute) => ({
  name,
  since: formatLocalTime(startsAt, policy),
  until: formatLocalTime(expiresAt, policy),
});

const USUAL = `P${policy.domains.disputeMonths}M`;

export function disputeCommand(): Command {
  const command = new Command('dispute').description('names that somebody has a claim to');
  withJson(command.command('list'))
    .description('all open disputes; codes are not shown')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        const disputes = await listDisputes(db, now);
        printRows(json ? disputes : disputes.map(forPeople), json);
      }),
    );
  changing(withReason(command.command('open <name>')))
    .description('a free name needs the code from now on, a registered one is frozen; prints the code')
    .option('--for <duration>', 'how long, as an ISO 8601 duration', USUAL)
    .option('--code <code>', 'a code of your choice (default: 32 random hex digits)')
    .action((text: string, options: Changing & { for: string; code?: string }) =>
      withDatabase(async ({ sql: db, now, change }) => {
        const name = nameOf(text);
        const expiresAt = moveBy(now, options.for, policy.timeZone);
        if (!expiresAt || expiresAt <= now)
          throw new CommandError('--for is an ISO 8601 duration such as P36M.');
        if (options.code === '') throw new CommandError('--code must not be empty.');
        const code = options.code ?? randomBytes(16).toString('hex');
        const opened = await openDispute(
          db,
          { name, code, startsAt: now, expiresAt },
          change(options.reason),
        );
        if (!opened) throw new CommandError(`${name} is disputed already.`);
        const sentence = `${name} is disputed until ${formatLocalTime(expiresAt, policy)}.`;
        const secret = { said: ` Its code: ${code}`, shown: { code } };
        printResult(options, sentence, { name, expiresAt }, secret);
      }, options),
    );
  irreversible(withReason(command.command('close <name>')))
    .description('end a dispute')
    .action(async (text: string, options: Changing) => {
      const name = nameOf(text);
      await requireConfirmation(options, `The dispute over ${name} ends, and its code with it.`);
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await closeDispute(db, name, change(options.reason))))
          throw new CommandError(`${name} is not disputed.`);
        printResult(options, `${name} is not disputed any more.`, { name, disputed: false });
      }, options);
    });
  return command;
}
