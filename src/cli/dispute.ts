import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { moveBy } from '../platform/dates.ts';
import { ee } from '../policy/ee.ts';
import { timeForPeople } from '../registry/domains/periods.ts';
import { closeDispute, type Dispute, listDisputes, openDispute } from '../registry/names/disputes.ts';
import { withDatabase } from './connect.ts';
import { nameOf } from './names.ts';
import { CommandError, print, printRows } from './output.ts';

/** Times in the registry's zone; scripts get them with their offset. */
const forPeople = ({ name, startsAt, expiresAt }: Dispute) => ({
  name,
  since: timeForPeople(startsAt, ee),
  until: timeForPeople(expiresAt, ee),
});

const USUAL = `P${ee.domains.disputeMonths}M`;

export function disputeCommand(): Command {
  const command = new Command('dispute').description('names that somebody has a claim to');
  command
    .command('list')
    .description('all open disputes; codes are not shown')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql, now }) => {
        const disputes = await listDisputes(sql, now);
        printRows(json ? disputes : disputes.map(forPeople), json);
      }),
    );
  command
    .command('open <name>')
    .description('a free name needs the code from now on, a registered one is frozen; prints the code')
    .option('--for <duration>', 'how long, as an ISO 8601 duration', USUAL)
    .option('--code <code>', 'a code of your choice (default: 32 random hex digits)')
    .option('--reason <text>', 'kept in history')
    .action((text: string, options: { for: string; code?: string; reason?: string }) =>
      withDatabase(async ({ sql, now, change }) => {
        const name = nameOf(text);
        const expiresAt = moveBy(now, options.for, ee.timeZone);
        if (!expiresAt || expiresAt <= now)
          throw new CommandError('--for is an ISO 8601 duration such as P36M.');
        if (options.code === '') throw new CommandError('--code must not be empty.');
        const code = options.code ?? randomBytes(16).toString('hex');
        const opened = await openDispute(
          sql,
          { name, code, startsAt: now, expiresAt },
          change(options.reason),
        );
        if (!opened) throw new CommandError(`${name} is disputed already.`);
        print(`${name} is disputed until ${timeForPeople(expiresAt, ee)}. Its code: ${code}`);
      }),
    );
  command
    .command('close <name>')
    .description('end a dispute')
    .option('--reason <text>', 'kept in history')
    .action((text: string, { reason }: { reason?: string }) =>
      withDatabase(async ({ sql, change }) => {
        const name = nameOf(text);
        if (!(await closeDispute(sql, name, change(reason))))
          throw new CommandError(`${name} is not disputed.`);
        print(`${name} is not disputed any more.`);
      }),
    );
  return command;
}
