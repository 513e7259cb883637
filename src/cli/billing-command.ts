import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { readInvoice } from '../billing/invoices/read.ts';
import {
  answeredSince,
  countUnasked,
  type Difference,
  listDifferences,
  wishQuestion,
} from '../billing/payments/differences.ts';
import { listHeld, NotResolvable, resolutions, resolveHeld } from '../billing/payments/held.ts';
import { askAboutOpen } from '../billing/payments/questions.ts';
import { refundInvoice } from '../billing/payments/refund-invoice.ts';
import { toDecimal } from '../platform/money.ts';
import { ee } from '../policy/ee.ts';
import { operatorName } from '../registry/registrars/operator.ts';
import { effectsOf } from './billing.ts';
import { withDatabase } from './connect.ts';
import { CommandError, print, printFields, printRows } from './output.ts';

type Output = { readonly json?: boolean };

const REFERENCE = /^[A-Za-z0-9_-]{1,128}$/;
const MOST_LISTED = 1_000;
const DAY_MS = 86_400_000;
/** A worker looks every second; the provider may take a while to answer. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 200;

export function billingCommand(): Command {
  const command = new Command('billing').description('invoices, payments, and what a person has to judge');

  command
    .command('show <invoice>')
    .description('an invoice with its payments and events')
    .option('--json', 'for scripts')
    .action((text: string, { json }: Output) =>
      withDatabase(async ({ sql }) => {
        const invoice = await readInvoice(sql, numberOf(text));
        if (!invoice) throw new CommandError(`There is no invoice ${text}.`);
        const { number, initiator, kind, status, currency, held, dueDate, payments, events, changes } =
          invoice;
        printFields(
          {
            ...{ number, initiator, kind, status, currency, dueDate, held: held ? 'yes' : 'no' },
            amount: toDecimal(BigInt(invoice.amount)),
            payments: payments.map(
              ({ reference, state, booked }) =>
                `${reference} ${state ?? 'not asked'} ${toDecimal(BigInt(booked))}`,
            ),
            events: events.map(({ name, at }) => `${at} ${name ?? 'unnamed'}`),
            changes: changes.map(({ from, to, at }) => `${at} ${from ?? 'issued'} → ${to}`),
          },
          json,
        );
      }),
    );

  command
    .command('held')
    .description('payments that a person has to judge, the oldest first')
    .option('--json', 'for scripts')
    .action(({ json }: Output) => withDatabase(async ({ sql }) => printRows(await listHeld(sql), json)));

  command
    .command('resolve <id> <decision>')
    .description(
      `judge a held payment: ${resolutions.join(', ')} (book it as it stands, pay it back, leave it as it is)`,
    )
    .requiredOption('--reason <text>', 'kept with the decision')
    .addHelpText('after', '\nExample: cadastre billing resolve 3 refund --reason "paid twice by mistake"')
    .action((text: string, decision: string, { reason }: { reason: string }) =>
      withDatabase(async ({ sql: pool, now }) => {
        const resolution = resolutions.find((known) => known === decision);
        if (!resolution) throw new CommandError(`The decision is one of ${resolutions.join(', ')}.`);
        const order = { id: numberOf(text), resolution, reason: given(reason), actor: operatorName(), now };
        await inOneSentence(
          pool.begin((sql) => resolveHeld(sql, { ...order, currency: ee.currency }, effectsOf(ee))),
        );
        print(`What was held under ${text} is resolved: ${resolution}.`);
      }),
    );

  command
    .command('refund <invoice>')
    .description('pay an invoice back through the provider; a worker carries it out')
    .requiredOption('--reason <text>', 'kept with the refund')
    .action((text: string, { reason }: { reason: string }) =>
      withDatabase(async ({ sql: pool, now }) => {
        const order = { number: numberOf(text), reason: given(reason), actor: operatorName(), now };
        const amount = await inOneSentence(pool.begin((sql) => refundInvoice(sql, order)));
        print(`${toDecimal(amount)} of invoice ${text} go back to the payer.`);
      }),
    );

  command
    .command('fetch <reference>')
    .description(
      'have the provider asked about a payment, whoever called or did not; a worker must be running',
    )
    .action((reference: string) =>
      withDatabase(async ({ sql, now }) => {
        if (!REFERENCE.test(reference))
          throw new CommandError('A reference has 1 to 128 letters, digits, _ and -.');
        const asked = await wishQuestion(sql, reference, now);
        const known = await untilKnown(() => answeredSince(sql, reference, asked));
        if (known === null) throw new CommandError(`The provider does not know ${reference}.`);
        const { state, booked, invoiceNumber } = known;
        print(
          `${reference}: ${state}, ${toDecimal(BigInt(booked))} booked, invoice ${invoiceNumber ?? 'unknown'}.`,
        );
      }),
    );

  command
    .command('reconcile')
    .description(
      'have the provider asked about every open payment, and show what disagreed; a worker must be running',
    )
    .option('--json', 'for scripts')
    .action(({ json }: Output) =>
      withDatabase(async ({ sql, now }) => {
        await askAboutOpen(sql, now);
        await untilKnown(async () => ((await countUnasked(sql, now)) === 0 ? true : undefined));
        printDifferences(await listDifferences(sql, now, MOST_LISTED), json);
      }),
    );

  command
    .command('differences')
    .description('what the provider knew and nobody had told us, the newest first')
    .option('--days <days>', 'how far back', '7')
    .option('--json', 'for scripts')
    .action(({ days, json }: Output & { days: string }) =>
      withDatabase(async ({ sql, now }) => {
        const since = new Date(now.getTime() - numberOf(days) * DAY_MS);
        printDifferences(await listDifferences(sql, since, MOST_LISTED), json);
      }),
    );
  return command;
}

/** Amounts as everywhere else, not in cents. */
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

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError(`${text} is no number.`);
  return Number(text);
}

function given(reason: string): string {
  if (reason.trim() === '') throw new CommandError('--reason must not be empty: it is kept.');
  return reason;
}

async function inOneSentence<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof NotResolvable ? new CommandError(error.message) : error;
  });
}

async function untilKnown<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(LOOK_EVERY_MS);
  }
  throw new CommandError('No worker has heard the provider yet; it is asked as soon as one runs.');
}
