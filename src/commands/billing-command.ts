import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { fetchPayment } from '../billing/payments/fetch-payment.ts';
import { listHeld } from '../billing/payments/list-held-payments.ts';
import {
  countPendingPolls,
  type Difference,
  listDifferences,
  polledSince,
} from '../billing/payments/payment-view.ts';
import { reconcilePayments } from '../billing/payments/reconcile-payments.ts';
import { refundInvoice } from '../billing/payments/refund-invoice.ts';
import { resolutions, resolveHeldPayment } from '../billing/payments/resolve-held-payment.ts';
import { toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import { effectsOf } from '../reservations/payment-effects.ts';
import { addExportCommands } from './billing-exports.ts';
import { addInvoiceCommands, type OpenProvider } from './billing-invoices.ts';
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
import { CommandError, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { withDatabase } from './terminal/with-database.ts';

const MAX_LISTED = 1_000;
const DAY_MS = 86_400_000;
/** A worker polls every second; the rest is for the provider's answer. */
const PROVIDER_TIMEOUT_MS = 15_000;
const CHECK_INTERVAL_MS = 200;

export function billingCommand(openProvider: OpenProvider): Command {
  const command = new Command('billing').description('invoices, payments, and what a person has to judge');

  addInvoiceCommands(command, openProvider);

  withJson(command.command('held'))
    .description('payments that a person has to judge, the oldest first')
    .action(({ json }: Changing) => withDatabase(async ({ sql: db }) => printRows(await listHeld(db), json)));

  const resolveHeld = resolveHeldPayment(effectsOf(policy));
  const resolve = command.command('resolve <id> <decision>');
  irreversible(operating(resolve, resolveHeld, { about: 'kept with the decision', isRequired: true }))
    .description(
      `judge a held payment: ${resolutions.join(', ')} (book it as it stands, pay it back, leave it as it is)`,
    )
    .addHelpText('after', '\nExample: cadastre billing resolve 3 refund --reason "paid twice by mistake"')
    .action(async (text: string, decision: string, options: Operating) => {
      const resolution = resolutions.find((known) => known === decision);
      if (!resolution) throw new CommandError(`The decision is one of ${resolutions.join(', ')}.`);
      const id = numberOf(text);
      await requireConfirmation(options, `What is held under ${text} is resolved for good: ${resolution}.`);
      await operate(resolveHeld, { id, resolution }, options);
      printResult(options, `What was held under ${text} is resolved: ${resolution}.`, { id, resolution });
    });

  const refund = command.command('refund <invoice>');
  irreversible(operating(refund, refundInvoice, { about: 'kept with the refund', isRequired: true }))
    .description('pay an invoice back through the provider; a worker carries it out')
    .action(async (text: string, options: Operating) => {
      const number = numberOf(text);
      await requireConfirmation(options, `All that was paid for invoice ${text} goes back to the payer.`);
      const amount = toDecimal(await operate(refundInvoice, { number }, options));
      printResult(options, `${amount} of invoice ${text} go back to the payer.`, { number, amount });
    });

  changing(operating(command.command('fetch <reference>'), fetchPayment))
    .description('poll the provider about a payment, with or without a callback; a worker must be running')
    .action((reference: string, options: Operating) =>
      withOperator(options, async ({ database: { writes: db }, run }) => {
        const { pollNumber } = await run(fetchPayment, { reference });
        if (options.dryRun) {
          printResult(options, `The provider is polled about ${reference}.`, { reference });
          return;
        }
        const known = await withProgress('waiting for the provider', () =>
          untilKnown(() => polledSince(db, reference, pollNumber)),
        );
        if (known === null) throw new CommandError(`The provider does not know ${reference}.`);
        const { state, invoiceNumber } = known;
        const booked = toDecimal(BigInt(known.booked));
        printResult(
          options,
          `${reference}: ${state}, ${booked} booked, invoice ${invoiceNumber ?? 'unknown'}.`,
          { reference, state, booked, invoiceNumber },
        );
      }),
    );

  changing(operating(command.command('reconcile'), reconcilePayments))
    .description(
      'poll the provider about every open payment, and show the differences; a worker must be running',
    )
    .action((options: Operating) =>
      withOperator(options, async ({ database: { writes: db }, now, run }) => {
        const { payments } = await run(reconcilePayments, {});
        if (options.dryRun) {
          printResult(options, `The provider is polled about ${payments} payments.`, { payments });
          return;
        }
        await withProgress('waiting for the provider', () =>
          untilKnown(async () => ((await countPendingPolls(db, now)) === 0 ? true : undefined)),
        );
        printDifferences(await listDifferences(db, now, MAX_LISTED), options.json);
      }),
    );

  withJson(command.command('differences'))
    .description('changes at the provider that no callback had reported, the newest first')
    .option('--days <days>', 'how far back', '7')
    .action(({ days, json }: Changing & { days: string }) =>
      withDatabase(async ({ sql: db, now }) => {
        const since = new Date(now.getTime() - numberOf(days) * DAY_MS);
        printDifferences(await listDifferences(db, since, MAX_LISTED), json);
      }),
    );
  addExportCommands(command);
  return command;
}

/** Amounts in currency units as everywhere else, not in cents. */
function printDifferences(differences: readonly Difference[], json: boolean | undefined): void {
  const decimal = (cents: string | null) => (cents === null ? null : toDecimal(BigInt(cents)));
  printRows(
    differences.map((row) => ({
      ...row,
      knownAmount: decimal(row.knownAmount),
      foundAmount: decimal(row.foundAmount),
    })),
    json,
  );
}

async function untilKnown<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < PROVIDER_TIMEOUT_MS; waited += CHECK_INTERVAL_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(CHECK_INTERVAL_MS);
  }
  throw new CommandError('No worker has polled the provider yet; it is polled as soon as one runs.');
}
