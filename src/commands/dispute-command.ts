import { Command } from 'commander';
import { policy } from '../policy/installed.ts';
import { formatLocalTime } from '../registry/domains/rules/periods.ts';
import { closeDispute } from '../registry/names/close-dispute.ts';
import { type Dispute, listDisputes } from '../registry/names/list-disputes.ts';
import { openDispute } from '../registry/names/open-dispute.ts';
import { nameOf } from './terminal/arguments.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

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
  changing(operating(command.command('open <name>'), openDispute))
    .description('a free name needs the code from now on, a registered one is frozen; prints the code')
    .option('--for <duration>', 'how long, as an ISO 8601 duration', USUAL)
    .option('--code <code>', 'a code of your choice (default: 32 random hex digits)')
    .action(async (text: string, options: Operating & { for: string; code?: string }) => {
      const wanted = { name: nameOf(text), duration: options.for, code: options.code };
      const { name, code, expiresAt } = await operate(openDispute, wanted, options);
      const sentence = `${name} is disputed until ${formatLocalTime(expiresAt, policy)}.`;
      const secret = { said: ` Its code: ${code}`, shown: { code } };
      printResult(options, sentence, { name, expiresAt }, secret);
    });
  irreversible(operating(command.command('close <name>'), closeDispute))
    .description('end a dispute')
    .action(async (text: string, options: Operating) => {
      const name = nameOf(text);
      await requireConfirmation(options, `The dispute over ${name} ends, and its code with it.`);
      await operate(closeDispute, { name }, options);
      printResult(options, `${name} is not disputed any more.`, { name, disputed: false });
    });
  return command;
}
