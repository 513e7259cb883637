import { Command } from 'commander';
import { type ContinuedCheck, continueLedgerCheck } from '../ledger/continue-check.ts';
import { listEntries } from '../ledger/list-entries.ts';
import { AMOUNT_RULE, parseSignedAmount, toDecimal } from '../platform/values/money.ts';
import { isBlank } from '../platform/values/normalise-text.ts';
import { correctBalance } from '../registry/registrars/correct-balance.ts';
import { startOfDayOption } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { withBeginning } from './terminal/note-check.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, print, printJson, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { withDatabase } from './terminal/with-database.ts';

const MAX_LISTED = 1_000;

export function ledgerCommand(): Command {
  const command = new Command('ledger').description("the registrars' money");
  withJson(command.command('check'))
    .description(
      'recompute the balances and tie every create and renew to exactly one charge, from where the last check ended; exit 1 when anything disagrees',
    )
    .option('--all', 'from the first entry on')
    .action(({ json, all = false }: Changing & { all?: boolean }) =>
      withDatabase(async ({ sql: db, now }) => {
        const run = () =>
          withProgress('checking the ledger', (show) =>
            continueLedgerCheck(db, now, {
              isWhole: all,
              onPosition: ({ entries }) => show(`checking the ledger: ${entries} entries`),
            }),
          );
        const check = await withBeginning(db, 'ledger', run, ({ findingCount }) => ({
          succeeded: findingCount === 0,
          detail: `disagrees in ${findingCount} places`,
        }));
        const { findingCount } = check;
        printCheck(check, json);
        if (findingCount > 0) throw new CommandError(`The ledger disagrees in ${findingCount} places.`);
      }),
    );
  withJson(command.command('list <registrar>'))
    .description(`what moved a registrar's balance, the newest first, at most ${MAX_LISTED}`)
    .option('--from <day>', 'from this day on, yyyy-mm-dd')
    .option('--until <day>', 'before this day, yyyy-mm-dd')
    .action((registrar: string, { json, ...days }: Changing & { from?: string; until?: string }) =>
      withDatabase(async ({ sql: db }) => {
        const [from, until] = [
          startOfDayOption('--from', days.from),
          startOfDayOption('--until', days.until),
        ];
        const entries = await listEntries(db, registrar, { from, until, limit: MAX_LISTED });
        if (!entries) throw new CommandError(`There is no registrar ${registrar}.`);
        const decimal = (cents: string) => toDecimal(BigInt(cents));
        printRows(
          entries.map((entry) => ({ ...entry, sum: decimal(entry.sum), balance: decimal(entry.balance) })),
          json,
        );
      }),
    );
  const wanted = { about: 'shown in the transaction', isRequired: true } as const;
  changing(operating(command.command('correct <registrar> <amount>'), correctBalance, wanted))
    .description('a new entry in favour of (50.00) or against (-50.00) a registrar')
    .addHelpText(
      'after',
      '\nExample: cadastre ledger correct ALPHA --reason "refund of a double payment" -- 18.00',
    )
    .action(async (registrar: string, text: string, options: Operating & { reason: string }) => {
      const amount = parseSignedAmount(text);
      if (amount === undefined)
        throw new CommandError(`The amount is not zero, such as 18.00 or -18.00: ${AMOUNT_RULE}.`);
      const { reason, ...others } = options;
      // The operation says what an empty one would be shown in.
      const given = isBlank(reason) ? others : options;
      const balance = await operate(correctBalance, { code: registrar, amount }, given);
      const sentence = `The balance of ${registrar} is ${toDecimal(balance)}.`;
      printResult(options, sentence, { registrar, amount: toDecimal(amount), balance: toDecimal(balance) });
    });
  return command;
}

function printCheck({ findings, findingCount, entries, since }: ContinuedCheck, json?: boolean): void {
  const before = since && { entries: since.entries, from: since.startedAt, until: since.checkedAt };
  if (json) printJson({ findings, findingCount, entries, before });
  else if (findingCount > 0) printRows(findings, json);
  else if (!before) print(`The ledger is clean. Checked: all ${entries} entries.`);
  else
    print(
      `The ledger is clean. Checked: ${entries} entries, and ${before.entries} before them from ${before.from.toISOString()} to ${before.until.toISOString()}; --all checks those again.`,
    );
}
