import path from 'node:path';
import { Command } from 'commander';
import { assignToInvoice } from '../billing/bank/assign-to-invoice.ts';
import { assignToRegistrar } from '../billing/bank/assign-to-registrar.ts';
import { UnreadableStatement } from '../billing/bank/bank-line.ts';
import { bankSums, type ListedEntry, listUnmatched, showEntry } from '../billing/bank/bank-view.ts';
import { readStatementFile } from '../billing/bank/import-folder.ts';
import type { Imported } from '../billing/bank/import-statement.ts';
import { importStatementByHand } from '../billing/bank/import-statement-by-hand.ts';
import { ownBank } from '../billing/bank/own-bank.ts';
import { reopenEntry } from '../billing/bank/reopen-entry.ts';
import { setEntryAside } from '../billing/bank/set-entry-aside.ts';
import { readConfig } from '../platform/config/config.ts';
import { toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import { effectsOf } from '../reservations/payment-effects.ts';
import { numberOf } from './terminal/arguments.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating, withOperator } from './terminal/operate.ts';
import { CommandError, printFields, printRows, type Row } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

const MAX_LISTED = 1_000;

export function bankCommand(): Command {
  const command = new Command('bank').description('payments by bank transfer');
  const effects = effectsOf(policy);
  const byHand = importStatementByHand(() => ({
    ...effects,
    ...ownBank(readConfig('production'), policy),
  }));
  changing(operating(command.command('import <file...>'), byHand))
    .description('take in statements (camt.053) or notifications (camt.054); the same twice changes nothing')
    .action((files: string[], options: Operating) => importFiles(byHand, files, options));
  withJson(command.command('unmatched'))
    .description(`payments that no rule could book, the oldest first, at most ${MAX_LISTED}`)
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) =>
        printRows((await listUnmatched(db, MAX_LISTED)).map(inDecimals), json),
      ),
    );
  withJson(command.command('show <id>'))
    .description('one payment with what became of it')
    .action((text: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const entry = await showEntry(db, numberOf(text));
        if (!entry) throw new CommandError(`The bank told of nothing that has the number ${text}.`);
        const changes = entry.changes.map(
          ({ at, to, actor, reason }) => `${at} ${to} by ${actor}${reason === null ? '' : ` (${reason})`}`,
        );
        printFields({ ...entry, amount: toDecimal(BigInt(entry.amount)), changes }, json);
      }),
    );
  const wanted = { about: 'kept with it', isRequired: true } as const;
  const [toInvoice, toRegistrar] = [assignToInvoice(effects), assignToRegistrar(effects)];
  irreversible(operating(command.command('assign <id>'), [toInvoice, toRegistrar], wanted))
    .description('book a payment for an invoice of the same amount, or for a registrar')
    .option('--invoice <number>', 'which it pays; an entry that the bank took back makes it refunded')
    .option('--registrar <code>', 'whose account it tops up, by its oldest such invoice or a new one')
    .addHelpText(
      'after',
      '\nExample: cadastre bank assign 7 --registrar GAMMA --reason "named in its letter"',
    )
    .action(async (text: string, options: Operating & Target) => {
      const { invoice, registrar } = options;
      if ((invoice === undefined) === (registrar === undefined))
        throw new CommandError('Name either --invoice or --registrar.');
      await requireConfirmation(options, `Bank entry ${text} is booked for good.`);
      const id = numberOf(text);
      if (registrar !== undefined) {
        const { number } = await operate(toRegistrar, { id, code: registrar }, options);
        const sentence = `Invoice ${number} of registrar ${registrar} is paid.`;
        printResult(options, sentence, { id, status: 'booked', invoice: number });
        return;
      }
      const { number, status } = await operate(toInvoice, { id, number: numberOf(invoice ?? '') }, options);
      printResult(options, `Invoice ${number} is ${status}.`, { id, status: 'booked', invoice: number });
    });
  changing(operating(command.command('set-aside <id>'), setEntryAside, wanted))
    .description('close a payment without booking it: no customer made it, or it was handled by other means')
    .action(async (text: string, options: Operating) => {
      const { id } = await operate(setEntryAside, { id: numberOf(text) }, options);
      printResult(options, `Bank entry ${text} is set aside.`, { id, status: 'aside' });
    });
  changing(operating(command.command('reopen <id>'), reopenEntry, wanted))
    .description('put a payment that was set aside back on the list')
    .action(async (text: string, options: Operating) => {
      const { id } = await operate(reopenEntry, { id: numberOf(text) }, options);
      printResult(options, `Bank entry ${text} waits for a person.`, { id, status: 'unmatched' });
    });
  withJson(command.command('sums'))
    .description('sums of what the bank reported, by account and status')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) =>
        printRows(
          (await bankSums(db)).map(({ account, currency, ...sums }) => ({
            account,
            currency,
            booked: toDecimal(sums.booked),
            returned: toDecimal(sums.returned),
            unmatched: toDecimal(sums.unmatched),
            aside: toDecimal(sums.aside),
          })),
          json,
        ),
      ),
    );
  return command;
}

type Import = ReturnType<typeof importStatementByHand>;

/** An unreadable file does not prevent the import of the others. */
async function importFiles(operation: Import, files: readonly string[], options: Operating): Promise<void> {
  const taken: (Imported & { readonly file: string })[] = [];
  const failures: string[] = [];
  await withOperator(options, async ({ run }) => {
    for (const file of files) {
      try {
        const statement = { file: path.basename(file), bytes: await readStatementFile(file) };
        taken.push({ file, ...(await run(operation, statement)) });
      } catch (error) {
        failures.push(describeFailure(file, error));
      }
    }
  });
  if (taken.length > 0) printResult(options, taken.map(sentenceOf).join('\n'), sumOf(taken));
  if (failures.length > 0) throw new CommandError(failures.join('\n'));
}

function describeFailure(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof UnreadableStatement || error instanceof CommandError)
    return `${file} was not taken in: ${error.message}`;
  if (['ENOENT', 'EACCES', 'EISDIR'].includes(code ?? '')) return `${file} cannot be read (${code}).`;
  throw error;
}

const COUNTED = ['booked', 'unmatched', 'aside', 'known', 'passedOver', 'pending'] as const;

const sentenceOf = ({
  file,
  booked,
  unmatched,
  aside,
  known,
  passedOver,
  pending,
}: Imported & { file: string }) =>
  `${file}: ${booked} booked, ${unmatched} unmatched, ${aside} set aside, ${known} known before, ${passedOver} of our own passed over, ${pending} pending.`;

const sumOf = (taken: readonly (Imported & { readonly file: string })[]): Row => ({
  files: taken.map(({ file }) => file),
  ...Object.fromEntries(
    COUNTED.map((name) => [name, taken.reduce((total, counts) => total + counts[name], 0)]),
  ),
});

type Target = { readonly invoice?: string; readonly registrar?: string };

const inDecimals = (entry: ListedEntry): Row => ({ ...entry, amount: toDecimal(BigInt(entry.amount)) });
