import { type Command, Option } from 'commander';
import { cancelInvoice } from '../billing/invoices/cancel-invoice.ts';
import { usableLink } from '../billing/invoices/generate.ts';
import { type Initiator, initiators, type Status, statuses } from '../billing/invoices/invoice.ts';
import { type InvoiceView, listInvoices, readInvoice } from '../billing/invoices/invoice-view.ts';
import { invoicePdf, printed } from '../billing/invoices/print-invoice.ts';
import type { PaymentProvider } from '../billing/provider/provider.ts';
import { noProvider } from '../billing/provider/unconfigured-provider.ts';
import { type Config, readConfig } from '../platform/config/config.ts';
import { readCopy } from '../platform/installation-copy.ts';
import { toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import { numberOf, startOfDayOption } from './terminal/arguments.ts';
import {
  type Changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { writeNew } from './terminal/files.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printFields, printRows } from './terminal/output.ts';
import { withDatabase, withWholeDatabase } from './terminal/with-database.ts';

const MAX_LISTED = 1_000;

type ListOptions = Changing & {
  readonly registrar?: string;
  readonly initiator?: Initiator;
  readonly status?: Status;
  readonly from?: string;
  readonly until?: string;
};

/** The payment provider of an installation, where all its settings are there. */
export type OpenProvider = (config: Config) => Promise<PaymentProvider | undefined>;

/** Commands on one invoice, or on a list of them. */
export function addInvoiceCommands(command: Command, openProvider: OpenProvider): void {
  withJson(command.command('list'))
    .description(`invoices, the newest first, at most ${MAX_LISTED}`)
    .option('--registrar <code>', "only a registrar's top-ups")
    .addOption(new Option('--initiator <service>', 'only those of a service').choices(initiators))
    .addOption(new Option('--status <status>', 'only those with this status').choices(statuses))
    .option('--from <day>', 'only those issued on this day or later, yyyy-mm-dd')
    .option('--until <day>', 'only those issued before this day, yyyy-mm-dd')
    .addHelpText('after', '\nExample: cadastre billing list --status overdue --initiator auction')
    .action(({ json, registrar, initiator, status, ...days }: ListOptions) =>
      withDatabase(async ({ sql: db }) => {
        const [from, until] = [
          startOfDayOption('--from', days.from),
          startOfDayOption('--until', days.until),
        ];
        const filter = { registrar, initiator, status, from, until };
        const rows = await listInvoices(db, filter, MAX_LISTED);
        printRows(
          rows.map((row) => ({ ...row, amount: toDecimal(BigInt(row.amount)) })),
          json,
        );
      }),
    );

  withJson(command.command('show <invoice>'))
    .description('an invoice with its payments and events')
    .action((text: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) =>
        printFields(shown(found(text, await readInvoice(db, numberOf(text)))), json),
      ),
    );

  const cancel = command.command('cancel <invoice>');
  irreversible(operating(cancel, cancelInvoice, { about: 'kept with the invoice', isRequired: true }))
    .description('cancel an invoice; its service is notified, and money that still arrives is refunded')
    .action(async (text: string, options: Operating) => {
      const number = numberOf(text);
      await requireConfirmation(options, `Invoice ${text} can never be paid again.`);
      await operate(cancelInvoice, { number }, options);
      printResult(options, `Invoice ${text} is cancelled.`, { number, status: 'cancelled' });
    });

  withJson(command.command('pdf <invoice>'))
    .description('write an invoice to a file, as its buyer gets it')
    .option('--output <file>', 'which file; one that is there is left alone (default: invoice-<number>.pdf)')
    .action((text: string, { json, output }: Changing & { output?: string }) =>
      withWholeDatabase(async ({ database: { writes: db }, kind }) => {
        const invoice = found(text, await readInvoice(db, numberOf(text)));
        const isCopy = (await readCopy(db)).state !== undefined;
        const provider = (isCopy ? undefined : await openProvider(readConfig(kind))) ?? noProvider;
        const link = await usableLink(db, provider, invoice);
        const bytes = await invoicePdf(printed(invoice, link, policy), policy.billing.seller);
        const file = output ?? `invoice-${invoice.number}.pdf`;
        writeNew(file, bytes);
        const data = { number: invoice.number, file, bytes: bytes.length };
        printResult({ ...(json && { json }) }, `Invoice ${text} is in ${file}.`, data);
      }),
    );
}

function found<T>(text: string, invoice: T | undefined): T {
  if (invoice === undefined) throw new CommandError(`There is no invoice ${text}.`);
  return invoice;
}

const shown = ({ payments, events, exports, changes, held, amount, ...invoice }: InvoiceView) => {
  const { number, initiator, kind, status, currency, dueDate } = invoice;
  return {
    number,
    initiator,
    kind,
    status,
    currency,
    dueDate,
    held: held ? 'yes' : 'no',
    amount: toDecimal(BigInt(amount)),
    payments: payments.map(
      ({ reference, state, booked }) => `${reference} ${state ?? 'not asked'} ${toDecimal(BigInt(booked))}`,
    ),
    events: events.map(({ name, at }) => `${at} ${name ?? 'unnamed'}`),
    exports: exports.map(({ target, state, reason }) => [target, state, reason].filter(Boolean).join(' ')),
    changes: changes.map(({ from, to, at }) => `${at} ${from ?? 'issued'} → ${to}`),
  };
};
