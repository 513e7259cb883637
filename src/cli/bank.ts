import { Command } from 'commander';
import {
  assignToInvoice,
  assignToRegistrar,
  NotAssignable,
  type Order,
  reopen,
  setAside,
} from '../billing/bank/assign.ts';
import { readStatementFile } from '../billing/bank/file.ts';
import { type BankParts, importStatement } from '../billing/bank/import.ts';
import { UnreadableStatement } from '../billing/bank/line.ts';
import { type ListedEntry, listUnmatched, showEntry } from '../billing/bank/overview.ts';
import { bankSums } from '../billing/bank/sums.ts';
import { type Config, readConfig } from '../platform/config.ts';
import type { Pool, Sql } from '../platform/database/database.ts';
import { toDecimal } from '../platform/money.ts';
import { ee } from '../policy/ee.ts';
import type { Policy } from '../policy/policy.ts';
import { operatorName } from '../registry/registrars/operator.ts';
import { effectsOf } from './billing.ts';
import { withDatabase } from './connect.ts';
import { CommandError, print, printFields, printRows, type Row } from './output.ts';

type Output = { readonly json?: boolean };
type Reason = { readonly reason: string };

const MOST_LISTED = 1_000;

/** What the import of statements needs, for the command and for the job alike. */
export const bankParts = (config: Config, policy: Policy, pool: Pool): BankParts => ({
  ...{ pool, policy, setAside: config.bankSetAside, ...effectsOf(policy) },
  accounts:
    config.bankAccounts.length > 0
      ? config.bankAccounts
      : policy.billing.seller.bankAccounts.map(({ iban }) => iban),
});

/** Where a worker looks for statements, if anywhere. */
export const watchedStatements = (config: Config, policy: Policy, pool: Pool) =>
  config.bankStatementFolder === undefined
    ? undefined
    : { folder: config.bankStatementFolder, bank: bankParts(config, policy, pool) };

export function bankCommand(): Command {
  const command = new Command('bank').description('payments by bank transfer');
  command
    .command('import <file...>')
    .description('take in statements (camt.053) or notifications (camt.054); the same twice changes nothing')
    .option('--json', 'for scripts')
    .action((files: string[], { json }: Output) => importFiles(files, json));
  command
    .command('unmatched')
    .description(`payments that no rule could book, the oldest first, at most ${MOST_LISTED}`)
    .option('--json', 'for scripts')
    .action(({ json }: Output) =>
      withDatabase(async ({ sql }) =>
        printRows((await listUnmatched(sql, MOST_LISTED)).map(inDecimals), json),
      ),
    );
  command
    .command('show <id>')
    .description('one payment with what became of it')
    .option('--json', 'for scripts')
    .action((text: string, { json }: Output) =>
      withDatabase(async ({ sql }) => {
        const entry = await showEntry(sql, numberOf(text));
        if (!entry) throw new CommandError(`The bank told of nothing that has the number ${text}.`);
        const changes = entry.changes.map(
          ({ at, to, actor, reason }) => `${at} ${to} by ${actor}${reason === null ? '' : ` (${reason})`}`,
        );
        printFields({ ...entry, amount: toDecimal(BigInt(entry.amount)), changes }, json);
      }),
    );
  command
    .command('assign <id>')
    .description('book a payment for an invoice of the same amount, or for a registrar')
    .option('--invoice <number>', 'which it pays; an entry that the bank took back makes it refunded')
    .option('--registrar <code>', 'whose account it tops up, by his oldest such invoice or a new one')
    .requiredOption('--reason <text>', 'kept with it')
    .addHelpText(
      'after',
      '\nExample: cadastre bank assign 7 --registrar GAMMA --reason "named in his letter"',
    )
    .action((text: string, options: Reason & { invoice?: string; registrar?: string }) =>
      assign(text, options),
    );
  command
    .command('set-aside <id>')
    .description('leave a payment alone: no customer made it, or it was dealt with elsewhere')
    .requiredOption('--reason <text>', 'kept with it')
    .action((text: string, { reason }: Reason) =>
      ordered(text, reason, async (sql, order) => {
        await setAside(sql, order);
        return `Bank entry ${text} is set aside.`;
      }),
    );
  command
    .command('reopen <id>')
    .description('put a payment that was set aside back on the list')
    .requiredOption('--reason <text>', 'kept with it')
    .action((text: string, { reason }: Reason) =>
      ordered(text, reason, async (sql, order) => {
        await reopen(sql, order);
        return `Bank entry ${text} waits for a person.`;
      }),
    );
  command
    .command('sums')
    .description('what the bank told of each account, by what became of it')
    .option('--json', 'for scripts')
    .action(({ json }: Output) =>
      withDatabase(async ({ sql }) =>
        printRows(
          (await bankSums(sql)).map(({ account, currency, ...sums }) => ({
            ...{ account, currency, booked: toDecimal(sums.booked), returned: toDecimal(sums.returned) },
            ...{ unmatched: toDecimal(sums.unmatched), aside: toDecimal(sums.aside) },
          })),
          json,
        ),
      ),
    );
  return command;
}

/** A file that cannot be read keeps none of the others out. */
async function importFiles(files: readonly string[], json: boolean | undefined): Promise<void> {
  const parts = (pool: Pool) => bankParts(readConfig('production'), ee, pool);
  await withDatabase(async ({ sql, now }) => {
    const rows: Row[] = [];
    const failures: string[] = [];
    for (const file of files) {
      try {
        rows.push({ file, ...(await importStatement(parts(sql), await readStatementFile(file), now)) });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (error instanceof UnreadableStatement) failures.push(`${file} was not taken in: ${error.message}`);
        else if (['ENOENT', 'EACCES', 'EISDIR'].includes(code ?? ''))
          failures.push(`${file} cannot be read (${code}).`);
        else throw error;
      }
    }
    if (rows.length > 0 || json) printRows(rows, json);
    if (failures.length > 0) throw new CommandError(failures.join('\n'));
  });
}

async function assign(
  text: string,
  { invoice, registrar, reason }: Reason & { invoice?: string; registrar?: string },
): Promise<void> {
  if ((invoice === undefined) === (registrar === undefined))
    throw new CommandError('Name either --invoice or --registrar.');
  const parts = { policy: ee, ...effectsOf(ee) };
  await ordered(text, reason, async (sql, order) => {
    if (invoice !== undefined) {
      const became = await assignToInvoice(sql, order, numberOf(invoice), parts);
      return `Invoice ${invoice} is ${became}.`;
    }
    const number = await assignToRegistrar(sql, order, registrar ?? '', parts);
    return `Invoice ${number} of registrar ${registrar} is paid.`;
  });
}

async function ordered(
  text: string,
  reason: string,
  work: (sql: Sql, order: Order) => Promise<string>,
): Promise<void> {
  if (reason.trim() === '') throw new CommandError('--reason must not be empty: it is kept.');
  await withDatabase(async ({ sql: pool, now }) => {
    const order = { id: numberOf(text), reason, actor: operatorName(), now };
    const sentence = await pool
      .begin((sql) => work(sql, order))
      .catch((error: unknown) => {
        throw error instanceof NotAssignable ? new CommandError(error.message) : error;
      });
    print(sentence);
  });
}

const inDecimals = (entry: ListedEntry): Row => ({ ...entry, amount: toDecimal(BigInt(entry.amount)) });

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError(`${text} is no number.`);
  return Number(text);
}
