import type { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { confirmByHand, exportByHand } from '../billing/exports/export-by-hand.ts';
import { type ExportTarget, exportTargets } from '../billing/exports/export-outcome.ts';
import { listUnsettled } from '../billing/exports/export-view.ts';
import { readUbl } from '../billing/exports/ubl.ts';
import { runTransaction } from '../operations/in-transaction.ts';
import { nameRefusal } from '../operations/named-refusal.ts';
import { type Refusal, Refused } from '../operations/refusal.ts';
import { policy } from '../policy/installed.ts';
import { EXPORT_NAMES } from './render-refusals.ts';
import { numberOf, requireReason } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { writeNew } from './terminal/files.ts';
import { operatorName } from './terminal/operator-name.ts';
import { CommandError, printRows } from './terminal/output.ts';

const MAX_LISTED = 1_000;

/** Commands for exports to the accounting service and the e-invoice operator. */
export function addExportCommands(command: Command): void {
  withJson(command.command('exports'))
    .description(
      'invoices on their way to the accounting service or the operator of e-invoices, and those rejected',
    )
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listUnsettled(db, MAX_LISTED), json)),
    );

  changing(command.command('export <target> <invoice...>'))
    .description(`send invoices to ${exportTargets.join(' or ')}, also those that were rejected before`)
    .addHelpText('after', '\nExample: cadastre billing export accounting 150005 150006')
    .action((text: string, invoices: string[], options: Changing) =>
      withDatabase(async ({ sql: pool, now }) => {
        const target = targetOf(text);
        const numbers = [...new Set(invoices.map(numberOf))];
        const order = { target, actor: operatorName(), now };
        const sent = await inOneSentence(exportByHand(pool, policy, numbers, order));
        const sentences = numbers.map((number) =>
          sent.includes(number)
            ? `Invoice ${number} is on its way to ${target}.`
            : `Invoice ${number} is on its way to ${target} or there already; it is not sent again.`,
        );
        printResult(options, sentences.join('\n'), { target, sent: sent.map(String) });
      }, options),
    );

  withJson(command.command('ubl <invoice>'))
    .description('write an invoice to a file, by the European standard EN 16931 in UBL 2.1')
    .option('--output <file>', 'which file; one that is there is left alone (default: invoice-<number>.xml)')
    .action((invoice: string, { json, output }: Changing & { output?: string }) =>
      withDatabase(async ({ sql: db }) => {
        const number = numberOf(invoice);
        const document = await inOneSentence(readUbl(db, number, policy));
        if (document === undefined) throw new CommandError(`There is no invoice ${invoice}.`);
        const file = output ?? `invoice-${number}.xml`;
        writeNew(file, document);
        printResult({ ...(json && { json }) }, `Invoice ${invoice} is in ${file}.`, { number, file });
      }),
    );

  changing(command.command('exported <target> <invoice>'))
    .description(`write down that ${exportTargets.join(' or ')} has an invoice, whatever it answered`)
    .requiredOption('--reason <text>', 'kept with it')
    .action((text: string, invoice: string, options: Changing & { reason: string }) =>
      withDatabase(async ({ sql: pool, now }) => {
        const target = targetOf(text);
        const order = { target, actor: operatorName(), now, reason: requireReason(options.reason) };
        const number = numberOf(invoice);
        const changed = await inOneSentence(
          runTransaction(pool, now, (db) => confirmByHand(db, number, order)),
        );
        if (!changed) throw new CommandError(`Invoice ${invoice} is at ${target} already.`);
        printResult(options, `Invoice ${invoice} is at ${target}.`, { target, number });
      }, options),
    );
}

function targetOf(text: string): ExportTarget {
  const target = exportTargets.find((known) => known === text);
  if (!target) throw new CommandError(`The target is ${exportTargets.join(' or ')}.`);
  return target;
}

async function inOneSentence<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    throw new CommandError(`${error.refusals.map(sentenceOf).join('; ')}.`);
  });
}

/** A refusal about the buyer is printed with the name of what is missing; one about an invoice names it already. */
function sentenceOf(refusal: Refusal): string {
  const { field, message } = nameRefusal(refusal, EXPORT_NAMES);
  return refusal.at?.[0] === 'buyer' ? `${field} ${message}` : message;
}
