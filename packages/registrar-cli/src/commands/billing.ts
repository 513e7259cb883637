import { writeFile } from 'node:fs/promises';
import { argument, type Command } from '../command.ts';
import { reportChange } from './domains.ts';

export const billingCommands: readonly Command[] = [
  {
    name: 'balance',
    summary: 'What the account has',
    options: {
      detailed: { description: 'with its transactions' },
      from: { value: 'DAY', description: 'only transactions of this day and later' },
      until: { value: 'DAY', description: 'only transactions before this day' },
    },
    async run(context) {
      const query = {
        detailed: context.flag('detailed'),
        from: context.text('from'),
        until: context.text('until'),
      };
      const { data } = await (await context.registry()).billing.balance(query);
      const { transactions = [], ...account } = data;
      if (!context.printer.isJson && context.flag('detailed'))
        for (const { created_at, sum, balance, description } of transactions)
          context.printer.row({}, { At: created_at, Sum: sum, Balance: balance, Description: description });
      const debt = account.debt === undefined ? '' : `debt ${account.debt}`;
      context.printer.item(data, `${account.balance} ${account.currency}`, debt);
    },
  },
  {
    name: 'prices',
    summary: 'What registration and renewal cost, also prices that are announced',
    async run(context) {
      for (const entry of (await (await context.registry()).billing.prices()).data.prices)
        context.printer.row(entry, {
          Zone: entry.zone,
          Operation: entry.operation,
          Period: `${entry.period}${entry.period_unit}`,
          Price: `${entry.price} ${entry.currency}`,
          From: entry.valid_from,
          Until: entry.valid_until,
        });
    },
  },
  {
    name: 'invoice list',
    summary: 'Your invoices, newest first',
    async run(context) {
      for await (const invoice of (await context.registry()).billing.invoices())
        context.printer.row(invoice, {
          Number: invoice.invoice_number,
          Status: invoice.status,
          Total: invoice.total,
          Due: invoice.due_date,
        });
    },
  },
  {
    name: 'invoice show',
    parameters: 'NUMBER',
    summary: 'One invoice, with the link to pay it',
    async run(context) {
      context.printer.object(
        (await (await context.registry()).billing.invoice(argument(context))).data.invoice,
      );
    },
  },
  {
    name: 'invoice save',
    parameters: 'NUMBER FILE',
    summary: 'Saves an invoice as PDF, or as UBL if the file ends in .xml',
    async run(context) {
      const [number = '', file = ''] = context.args;
      const { billing } = await context.registry();
      const { data } = file.endsWith('.xml')
        ? await billing.invoiceUbl(number)
        : await billing.invoicePdf(number);
      await writeFile(file, data);
      context.printer.item({ file, bytes: data.byteLength }, `${file} is saved`);
    },
  },
  {
    name: 'invoice create',
    parameters: 'AMOUNT',
    summary: 'Issues an invoice to top up the account, and shows the link to pay it',
    changes: true,
    async run(context) {
      const registry = await context.registry();
      const { data } = await registry.billing.addCredit({ amount: argument(context) }, context.change);
      const { total, payment_link } = data.invoice;
      reportChange(context, data, `pay ${total} at ${payment_link}`);
    },
  },
];
