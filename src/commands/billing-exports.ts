import type { Command } from 'commander';
import { exportInvoices } from '../billing/exports/export-invoices.ts';
import { type ExportTarget, exportTargets } from '../billing/exports/export-outcome.ts';
import { listUnsettled } from '../billing/exports/export-view.ts';
import { recordExport } from '../billing/exports/record-export.ts';
import { readUbl } from '../billing/exports/ubl.ts';
import { Refused } from '../operations/refusal.ts';
import { policy } from '../policy/installed.ts';
import { EXPORT_NAMES, renderRefusals } from './render-refusals.ts';
import { numberOf } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { writeNew } from './terminal/files.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

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

  changing(operating(command.command('export <target> <invoice...>'), exportInvoices))
    .description(`send invoices to ${exportTargets.join(' or ')}, also those that were rejected before`)
    .addHelpText('after', '\nExample: cadastre billing export accounting 150005 150006')
    .action(async (text: string, invoices: string[], options: Operating) => {
      const target = targetOf(text);
      const numbers = [...new Set(invoices.map(numberOf))];
      const { sent } = await operate(exportInvoices, { target, numbers }, options);
      const sentences = numbers.map((number) =>
        sent.includes(number)
          ? `Invoice ${number} is on its way to ${target}.`
          : `Invoice ${number} is on its way to ${target} or there already; it is not sent again.`,
      );
      printResult(options, sentences.join('\n'), { target, sent: sent.map(String) });
    });

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

  const exported = command.command('exported <target> <invoice>');
  changing(operating(exported, recordExport, { about: 'kept with it', isRequired: true }))
    .description(`write down that ${exportTargets.join(' or ')} has an invoice, whatever it answered`)
    .action(async (text: string, invoice: string, options: Operating) => {
      const target = targetOf(text);
      const number = numberOf(invoice);
      await operate(recordExport, { target, number }, options);
      printResult(options, `Invoice ${invoice} is at ${target}.`, { target, number });
    });
}

function targetOf(text: string): ExportTarget {
  const target = exportTargets.find((known) => known === text);
  if (!target) throw new CommandError(`The target is ${exportTargets.join(' or ')}.`);
  return target;
}

async function inOneSentence<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    throw new CommandError(`${renderRefusals(error.refusals, EXPORT_NAMES).join('; ')}.`);
  });
}
