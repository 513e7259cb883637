import type { Command } from 'commander';
import { confirmByHand, exportByHand } from '../billing/exports/by-hand.ts';
import { listUnsettled } from '../billing/exports/overview.ts';
import { type ExportTarget, exportTargets } from '../billing/exports/target.ts';
import { BillingRefused } from '../billing/refusals.ts';
import { ee } from '../policy/ee.ts';
import { operatorName } from '../registry/registrars/operator.ts';
import { withDatabase } from './connect.ts';
import { given, numberOf } from './given.ts';
import { CommandError, print, printRows } from './output.ts';

const MOST_LISTED = 1_000;

/** Invoices as documents for the accounting service and the operator of e-invoices. */
export function addExportCommands(command: Command): void {
  command
    .command('exports')
    .description(
      'invoices on their way to the accounting service or the operator of e-invoices, and those rejected',
    )
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listUnsettled(sql, MOST_LISTED), json)),
    );

  command
    .command('export <target> <invoice...>')
    .description(`send invoices to ${exportTargets.join(' or ')}, also those that were rejected before`)
    .addHelpText('after', '\nExample: cadastre billing export accounting 150005 150006')
    .action((text: string, invoices: string[]) =>
      withDatabase(async ({ sql: pool, now }) => {
        const target = targetOf(text);
        const numbers = [...new Set(invoices.map(numberOf))];
        const order = { target, actor: operatorName(), now };
        const sent = await inOneSentence(pool.begin((sql) => exportByHand(sql, ee, numbers, order)));
        for (const number of numbers)
          print(
            sent.includes(number)
              ? `Invoice ${number} is on its way to ${target}.`
              : `Invoice ${number} is on its way to ${target} or there already; it is not sent anew.`,
          );
      }),
    );

  command
    .command('exported <target> <invoice>')
    .description(`write down that ${exportTargets.join(' or ')} has an invoice, whatever was answered`)
    .requiredOption('--reason <text>', 'kept with it')
    .action((text: string, invoice: string, { reason }: { reason: string }) =>
      withDatabase(async ({ sql: pool, now }) => {
        const target = targetOf(text);
        const order = { target, actor: operatorName(), now, reason: given(reason) };
        const changed = await inOneSentence(
          pool.begin((sql) => confirmByHand(sql, numberOf(invoice), order)),
        );
        if (!changed) throw new CommandError(`Invoice ${invoice} is at ${target} already.`);
        print(`Invoice ${invoice} is at ${target}.`);
      }),
    );
}

function targetOf(text: string): ExportTarget {
  const target = exportTargets.find((known) => known === text);
  if (!target) throw new CommandError(`The target is ${exportTargets.join(' or ')}.`);
  return target;
}

async function inOneSentence<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof BillingRefused)) throw error;
    const { refusal } = error;
    if (refusal.kind === 'missing') throw new CommandError(`${refusal.text}.`);
    if (refusal.kind === 'invalid')
      throw new CommandError(`${Object.values(refusal.fields).flat().join('; ')}.`);
    throw error;
  });
}
