import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { effectsOf } from '../app/billing.ts';
import { withDatabase } from '../app/with-database.ts';
import { listHeld, resolutions, resolveHeld } from '../billing/payments/held-payments.ts';
import {
  countPendingPolls,
  type Difference,
  listDifferences,
  polledSince,
  requestPoll,
} from '../billing/payments/payment-view.ts';
import { pollOpenPayments } from '../billing/payments/poll-leases.ts';
import { refundInvoice } from '../billing/payments/refunds.ts';
import { runTransaction } from '../operations/in-transaction.ts';
import { toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import { addExportCommands } from './billing-exports.ts';
import { addInvoiceCommands } from './billing-invoices.ts';
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
import { CommandError, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';

const REFERENCE = /^[A-Za-z0-9_-]{1,128}$/;
const MAX_LISTED = 1_000;
const DAY_MS = 86_400_000;
/** A worker polls every second; the rest is for the provider's answer. */
const PROVIDER_TIMEOUT_MS = 15_000;
const CHECK_INTERVAL_MS = 200;

export function billingCommand(): Command {
  const command = new Command('billing').description('invoices, payments, and what a person has to judge');

  addInvoiceCommands(command);

  withJson(command.command('held'))
    .description('payments that a person has to judge, the oldest first')
    .action(({ json }: Changing) => withDatabase(async ({ sql: db }) => printRows(await listHeld(db), json)));

  irreversible(command.command('resolve <id> <decision>'))
    .description(
      `judge a held payment: ${resolutions.join(', ')} (book it as it stands, pay it back, leave it as it is)`,
    )
    .requiredOption('--reason <text>', 'kept with the decision')
    .addHelpText('after', '\nExample: cadastre billing resolve 3 refund --reason "paid twice by mistake"')
    .action(async (text: string, decision: string, options: Changing & { reason: string }) => {
      const resolution = resolutions.find((known) => known === decision);
      if (!resolution) throw new CommandError(`The decision is one of ${resolutions.join(', ')}.`);
      const order = {
        id: numberOf(text),
        resolution,
        reason: requireReason(options.reason),
        actor: operatorName(),
      };
      await requireConfirmation(options, `What is held under ${text} is resolved for good: ${resolution}.`);
      await withDatabase(async ({ sql: pool, now }) => {
        await runTransaction(pool, now, (db) =>
          resolveHeld(db, { ...order, now, currency: policy.currency }, effectsOf(policy)),
        );
        printResult(options, `What was held under ${text} is resolved: ${resolution}.`, {
          id: order.id,
          resolution,
        });
      }, options);
    });

  irreversible(command.command('refund <invoice>'))
    .description('pay an invoice back through the provider; a worker carries it out')
    .requiredOption('--reason <text>', 'kept with the refund')
    .action(async (text: string, options: Changing & { reason: string }) => {
      const order = { number: numberOf(text), reason: requireReason(options.reason), actor: operatorName() };
      await requireConfirmation(options, `All that was paid for invoice ${text} goes back to the payer.`);
      await withDatabase(async ({ sql: pool, now }) => {
        const amount = await runTransaction(pool, now, (db) => refundInvoice(db, { ...order, now }));
        const data = { number: order.number, amount: toDecimal(amount) };
        printResult(options, `${data.amount} of invoice ${text} go back to the payer.`, data);
      }, options);
    });

  changing(command.command('fetch <reference>'))
    .description('poll the provider about a payment, with or without a callback; a worker must be running')
    .action((reference: string, options: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        if (!REFERENCE.test(reference))
          throw new CommandError('A reference has 1 to 128 letters, digits, _ and -.');
        const pollNumber = await requestPoll(db, reference, now);
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
          {
            ...{ reference, state, booked, invoiceNumber },
          },
        );
      }, options),
    );

  changing(command.command('reconcile'))
    .description(
      'poll the provider about every open payment, and show the differences; a worker must be running',
    )
    .action((options: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        const open = await pollOpenPayments(db, now);
        if (options.dryRun) {
          printResult(options, `The provider is polled about ${open} payments.`, { payments: open });
          return;
        }
        await withProgress('waiting for the provider', () =>
          untilKnown(async () => ((await countPendingPolls(db, now)) === 0 ? true : undefined)),
        );
        printDifferences(await listDifferences(db, now, MAX_LISTED), options.json);
      }, options),
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
