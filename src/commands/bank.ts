import { Command } from 'commander';
import { effectsOf } from '../app/billing.ts';
import { withDatabase } from '../app/with-database.ts';
import {
  assignToInvoice,
  assignToRegistrar,
  dismissEntry,
  type Order,
  reopen,
} from '../billing/bank/assign.ts';
import { UnreadableStatement } from '../billing/bank/bank-line.ts';
import { bankSums, type ListedEntry, listUnmatched, showEntry } from '../billing/bank/bank-view.ts';
import { readStatementFile } from '../billing/bank/import-folder.ts';
import { type BankDependencies, type Imported, importStatement } from '../billing/bank/import-statement.ts';
import { runTransaction } from '../operations/in-transaction.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import type { Pool, Sql } from '../platform/sql/executor.ts';
import { toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import type { Policy } from '../policy/policy.ts';
import { numberOf, requireReason } from './terminal/arguments.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { operatorName } from './terminal/operator-name.ts';
import { CommandError, printFields, printRows, type Row } from './terminal/output.ts';

const MAX_LISTED = 1_000;

/** Dependencies of the statement import, for the command and for the job. */
export const bankDependencies = (config: Config, policy: Policy, pool: Pool): BankDependencies => ({
  ...{ pool, policy, dismissedPrefixes: config.bankSetAside, ...effectsOf(policy) },
  accounts:
    config.bankAccounts.length > 0
      ? config.bankAccounts
      : policy.billing.seller.bankAccounts.map(({ iban }) => iban),
});

/** The folder that a worker checks for statements, if configured. */
export const statementFolder = (config: Config, policy: Policy, pool: Pool) =>
  config.bankStatementFolder === undefined
    ? undefined
    : { folder: config.bankStatementFolder, bank: bankDependencies(config, policy, pool) };

export function bankCommand(): Command {
  const command = new Command('bank').description('payments by bank transfer');
  changing(command.command('import <file...>'))
    .description('take in statements (camt.053) or notifications (camt.054); the same twice changes nothing')
    .action((files: string[], options: Changing) =>
      withDatabase(({ sql: db, now }) => importFiles(db, files, now, options), options),
    );
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
  irreversible(command.command('assign <id>'))
    .description('book a payment for an invoice of the same amount, or for a registrar')
    .option('--invoice <number>', 'which it pays; an entry that the bank took back makes it refunded')
    .option('--registrar <code>', 'whose account it tops up, by its oldest such invoice or a new one')
    .requiredOption('--reason <text>', 'kept with it')
    .addHelpText(
      'after',
      '\nExample: cadastre bank assign 7 --registrar GAMMA --reason "named in its letter"',
    )
    .action(assign);
  changing(command.command('set-aside <id>'))
    .description('close a payment without booking it: no customer made it, or it was handled by other means')
    .requiredOption('--reason <text>', 'kept with it')
    .action((text: string, options: Ordering) =>
      ordered(text, options, async (db, order) => {
        await dismissEntry(db, order);
        return { sentence: `Bank entry ${text} is set aside.`, data: { status: 'aside' } };
      }),
    );
  changing(command.command('reopen <id>'))
    .description('put a payment that was set aside back on the list')
    .requiredOption('--reason <text>', 'kept with it')
    .action((text: string, options: Ordering) =>
      ordered(text, options, async (db, order) => {
        await reopen(db, order);
        return { sentence: `Bank entry ${text} waits for a person.`, data: { status: 'unmatched' } };
      }),
    );
  withJson(command.command('sums'))
    .description('sums of what the bank reported, by account and status')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) =>
        printRows(
          (await bankSums(db)).map(({ account, currency, ...sums }) => ({
            ...{ account, currency, booked: toDecimal(sums.booked), returned: toDecimal(sums.returned) },
            ...{ unmatched: toDecimal(sums.unmatched), aside: toDecimal(sums.aside) },
          })),
          json,
        ),
      ),
    );
  return command;
}

/** An unreadable file does not prevent the import of the others. */
async function importFiles(db: Pool, files: readonly string[], now: Date, options: Changing): Promise<void> {
  const parts = bankDependencies(readConfig('production'), policy, db);
  const taken: (Imported & { readonly file: string })[] = [];
  const failures: string[] = [];
  for (const file of files) {
    try {
      taken.push({ file, ...(await importStatement(parts, await readStatementFile(file), now)) });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof UnreadableStatement) failures.push(`${file} was not taken in: ${error.message}`);
      else if (['ENOENT', 'EACCES', 'EISDIR'].includes(code ?? ''))
        failures.push(`${file} cannot be read (${code}).`);
      else throw error;
    }
  }
  if (taken.length > 0) printResult(options, taken.map(sentenceOf).join('\n'), sumOf(taken));
  if (failures.length > 0) throw new CommandError(failures.join('\n'));
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

type Ordering = Changing & { readonly reason: string };
type Target = { readonly invoice?: string; readonly registrar?: string };

async function assign(text: string, options: Ordering & Target): Promise<void> {
  const { invoice, registrar } = options;
  if ((invoice === undefined) === (registrar === undefined))
    throw new CommandError('Name either --invoice or --registrar.');
  const parts = { policy, ...effectsOf(policy) };
  requireReason(options.reason);
  await requireConfirmation(options, `Bank entry ${text} is booked for good.`);
  await ordered(text, options, async (db, order) => {
    const number = invoice === undefined ? undefined : numberOf(invoice);
    const became = number === undefined ? 'paid' : await assignToInvoice(db, order, number, parts);
    const paid = number ?? (await assignToRegistrar(db, order, registrar ?? '', parts));
    const of = registrar === undefined ? '' : ` of registrar ${registrar}`;
    return { sentence: `Invoice ${paid}${of} is ${became}.`, data: { status: 'booked', invoice: paid } };
  });
}

async function ordered(
  text: string,
  options: Ordering,
  work: (db: Sql, order: Order) => Promise<{ readonly sentence: string; readonly data: Row }>,
): Promise<void> {
  const order = { id: numberOf(text), reason: requireReason(options.reason), actor: operatorName() };
  await withDatabase(async ({ sql: pool, now }) => {
    const { sentence, data } = await runTransaction(pool, now, (db) => work(db, { ...order, now }));
    printResult(options, sentence, { id: order.id, ...data });
  }, options);
}

const inDecimals = (entry: ListedEntry): Row => ({ ...entry, amount: toDecimal(BigInt(entry.amount)) });
