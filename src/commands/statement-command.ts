import { Command } from 'commander';
import {
  findStatement,
  isMonth,
  listStatements,
  type MonthlyStatement,
} from '../billing/statements/find-statements.ts';
import { statementCsv } from '../billing/statements/statement-csv.ts';
import { periodText } from '../billing/statements/statement-labels.ts';
import { printStatement } from '../billing/statements/print-statement.ts';
import { toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import { type Changing, printResult, withJson } from './terminal/changing.ts';
import { writeNew } from './terminal/files.ts';
import { CommandError, print, printFields, printJson, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

const MAX_LISTED = 1_000;

export function statementCommand(): Command {
  const command = new Command('statement').description("registrars' accounts, month by month");
  withJson(command.command('list [registrar]'))
    .description(`the statements there are, the newest first, at most ${MAX_LISTED}`)
    .action((registrar: string | undefined, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const rows = await listStatements(db, registrar, MAX_LISTED);
        const decimal = (cents: string) => toDecimal(BigInt(cents));
        printRows(
          rows.map((row) => ({
            ...row,
            opening: decimal(row.opening),
            closing: decimal(row.closing),
            debt: decimal(row.debt),
          })),
          json,
        );
      }),
    );
  withJson(command.command('show <registrar> <month>'))
    .description('one statement: balances, and what was booked between them')
    .addHelpText('after', '\nExample: cadastre statement show GAMMA 2026-10')
    .action((registrar: string, month: string, { json }: Changing) =>
      withStatement(registrar, month, (statement) => {
        if (json) printJson(shown(statement));
        else show(statement);
      }),
    );
  addFileCommand(command, 'pdf', 'as its registrar gets it', (statement) =>
    printStatement(statement, policy.billing.seller),
  );
  addFileCommand(command, 'csv', 'as comma-separated values', (statement) =>
    Buffer.from(statementCsv(statement)),
  );
  return command;
}

function addFileCommand(
  command: Command,
  form: 'pdf' | 'csv',
  about: string,
  bytesOf: (statement: MonthlyStatement) => Buffer | Promise<Buffer>,
): void {
  withJson(command.command(`${form} <registrar> <month>`))
    .description(`write a statement to a file, ${about}`)
    .option(
      '--output <file>',
      `which file; one that is there is left alone (default: <registrar>-<month>.${form})`,
    )
    .action((registrar: string, month: string, { json, output }: Changing & { output?: string }) =>
      withStatement(registrar, month, async (statement) => {
        const bytes = await bytesOf(statement);
        const file = output ?? `${registrar}-${month}.${form}`;
        writeNew(file, bytes);
        const data = { registrar, month, file, bytes: bytes.length };
        printResult({ ...(json && { json }) }, `The statement is in ${file}.`, data);
      }),
    );
}

async function withStatement(
  registrar: string,
  month: string,
  work: (statement: MonthlyStatement) => void | Promise<void>,
): Promise<void> {
  if (!isMonth(month)) throw new CommandError(`${month} is no month; write it like 2026-10.`);
  await withDatabase(async ({ sql: db }) => {
    const statement = await findStatement(db, registrar, month);
    if (!statement) throw new CommandError(`There is no statement of registrar ${registrar} for ${month}.`);
    await work(statement);
  });
}

const shown = ({ registrarId: _, ...statement }: MonthlyStatement) => ({
  ...statement,
  opening: toDecimal(statement.opening),
  closing: toDecimal(statement.closing),
  openingDebt: toDecimal(statement.openingDebt),
  debtGrown: toDecimal(statement.debtGrown),
  debtRepaid: toDecimal(statement.debtRepaid),
  closingDebt: toDecimal(statement.closingDebt),
  lines: statement.lines.map(({ kind, zone, months, count, sum }) => ({
    entry: kind,
    zone,
    period: months === null ? null : periodText(months),
    count,
    sum: toDecimal(sum),
  })),
});

function show(statement: MonthlyStatement): void {
  const { lines, ...fields } = shown(statement);
  printFields(fields, false);
  print('');
  printRows(lines, false);
}
