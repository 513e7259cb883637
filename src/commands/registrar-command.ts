import { Command } from 'commander';
import { AMOUNT_RULE, parseAmount, toDecimal } from '../platform/values/money.ts';
import { createRegistrar } from '../registry/registrars/create-registrar.ts';
import { listRegistrars } from '../registry/registrars/list-registrars.ts';
import { setCompatibility } from '../registry/registrars/set-compatibility.ts';
import { setInvoiceDetails } from '../registry/registrars/set-invoice-details.ts';
import { setLowBalance } from '../registry/registrars/set-low-balance.ts';
import { setTopUp } from '../registry/registrars/set-top-up.ts';
import { suspendRegistrar } from '../registry/registrars/suspend-registrar.ts';
import { updateRegistrar } from '../registry/registrars/update-registrar.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printFields, printRows } from './terminal/output.ts';
import {
  type PublicContactOptions,
  readPublicContact,
  withPublicContact,
} from './terminal/public-contact.ts';
import { withDatabase } from './terminal/with-database.ts';

type Details = Operating & PublicContactOptions & { readonly email?: string };

export function registrarCommand(): Command {
  const command = new Command('registrar').description(
    'accredited registrars: who they are and whether they may work',
  );

  withPublicContact(changing(operating(command.command('create <code>'), createRegistrar)))
    .description('enter a new registrar, active at once, with an empty account')
    .requiredOption('--name <name>', 'as it is shown to everybody')
    .option('--website <url>', 'as it is shown to everybody', '')
    .option('--email <address>', 'where the registry writes to')
    .addHelpText(
      'after',
      '\nExample: cadastre registrar create GAMMA --name "Gamma Registrar" --website https://gamma.example',
    )
    .action(async (code: string, options: Details & { name: string; website: string }) => {
      const { name, website, email } = options;
      const registrar = { code, name, website, ...(email && { email }), ...readPublicContact(options) };
      await operate(createRegistrar, registrar, options);
      const next = `Create a user:  cadastre user create <username> --registrar ${code}`;
      printResult(options, `Registrar ${code} is created. ${next}`, registrar);
    });

  withJson(command.command('list'))
    .description('all registrars')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const rows = await listRegistrars(db);
        printRows(
          json
            ? rows
            : rows.map(({ code, name, status, users, contacts, domains, balance }) => ({
                code,
                name,
                status,
                users,
                contacts,
                domains,
                balance,
              })),
          json,
        );
      }),
    );

  withJson(command.command('show <code>'))
    .description('one registrar, with its balance and the number of its users, contacts and domains')
    .action((code: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const [row] = await listRegistrars(db, code);
        if (!row) throw new CommandError(`There is no registrar ${code}.`);
        printFields(row, json);
      }),
    );

  withPublicContact(changing(operating(command.command('update <code>'), updateRegistrar)))
    .description('correct how a registrar is called or reached; what is left out stays')
    .option('--name <name>', 'as it is shown to everybody')
    .option('--website <url>', 'as it is shown to everybody')
    .option('--email <address>', 'where the registry writes to; none for nowhere')
    .action(async (code: string, options: Details & { name?: string; website?: string }) => {
      const { name, website, email } = options;
      const details = {
        ...(name !== undefined && { name }),
        ...(website !== undefined && { website }),
        ...(email !== undefined && { email: email === 'none' ? null : email }),
        ...readPublicContact(options),
      };
      await operate(updateRegistrar, { code, details }, options);
      printResult(options, `Registrar ${code} is updated.`, { code, ...details });
    });

  changing(operating(command.command('low-balance <code> <amount>'), setLowBalance))
    .description('notify a registrar by poll message when its balance falls below the amount; none for never')
    .addHelpText('after', '\nExample: cadastre registrar low-balance GAMMA 500.00')
    .action(async (code: string, text: string, options: Operating) => {
      const threshold = text === 'none' ? undefined : parseAmount(text);
      if (text !== 'none' && threshold === undefined)
        throw new CommandError(`The amount is such as 500.00, or the word none: ${AMOUNT_RULE}.`);
      await operate(setLowBalance, { code, threshold }, options);
      printResult(
        options,
        threshold === undefined
          ? `Registrar ${code} is not told of a low balance.`
          : `Registrar ${code} is notified when its balance falls below ${toDecimal(threshold)}.`,
        { code, lowBalance: threshold === undefined ? null : toDecimal(threshold) },
      );
    });

  changing(operating(command.command('top-up <code> <amount>'), setTopUp))
    .description(
      'send a registrar an invoice over the amount when its balance falls to a threshold; none for never',
    )
    .option('--at <threshold>', 'the balance at which it is sent', '0.00')
    .addHelpText('after', '\nExample: cadastre registrar top-up GAMMA 1000.00 --at 200.00')
    .action(async (code: string, text: string, options: Operating & { at: string }) => {
      const amount = text === 'none' ? undefined : parseAmount(text);
      const threshold = parseAmount(options.at);
      if (text !== 'none' && (!amount || threshold === undefined))
        throw new CommandError(`Both amounts are such as 1000.00: ${AMOUNT_RULE}.`);
      const topUp = amount === undefined || threshold === undefined ? undefined : { amount, threshold };
      await operate(setTopUp, { code, topUp }, options);
      printResult(
        options,
        topUp
          ? `Registrar ${code} is sent an invoice over ${toDecimal(topUp.amount)} when its balance falls to ${toDecimal(topUp.threshold)}.`
          : `Registrar ${code} is sent no automatic invoices.`,
        {
          code,
          topUp: topUp ? toDecimal(topUp.amount) : null,
          topUpAt: topUp ? toDecimal(topUp.threshold) : null,
        },
      );
    });

  addCompatibilityCommand(command);
  addInvoiceDetailsCommand(command);

  for (const [verb, suspended] of [
    ['suspend', true],
    ['activate', false],
  ] as const) {
    changing(operating(command.command(`${verb} <code>`), suspendRegistrar))
      .description(
        suspended
          ? 'shut a registrar out, within seconds on every server'
          : 'let a suspended registrar in again',
      )
      .action(async (code: string, options: Operating) => {
        await operate(suspendRegistrar, { code, isSuspended: suspended }, options);
        const status = suspended ? 'suspended' : 'active';
        printResult(options, `Registrar ${code} is ${status}.`, { code, status });
      });
  }
  return command;
}

function addCompatibilityCommand(command: Command): void {
  changing(operating(command.command('compatibility <code> <on|off>'), setCompatibility))
    .description("read a registrar's requests as the incumbent's API did, within seconds on every server")
    .addHelpText(
      'after',
      '\nExample: cadastre registrar compatibility GAMMA on\nWhat it changes: docs/integrate/from-the-incumbent.md',
    )
    .action(async (code: string, word: string, options: Operating) => {
      if (word !== 'on' && word !== 'off') throw new CommandError('The compatibility profile is on or off.');
      const profile = { code, compatibility: word === 'on' };
      await operate(setCompatibility, profile, options);
      printResult(options, `The compatibility profile of registrar ${code} is ${word}.`, profile);
    });
}

type Given = Operating & {
  readonly country?: string;
  readonly registryCode?: string;
  readonly vatNumber?: string;
  readonly street?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly customerCode?: string;
};

function addInvoiceDetailsCommand(command: Command): void {
  changing(operating(command.command('invoice-details <code>'), setInvoiceDetails))
    .description('who a registrar is on e-invoices and in accounting; replaces what was known')
    .option('--country <code>', 'two letters; the VAT code follows from it')
    .option('--registry-code <code>', 'e-invoices are addressed by it')
    .option('--vat-number <number>', 'its VAT number')
    .option('--street <text>', 'street and house')
    .option('--city <text>', 'city or parish')
    .option('--postal-code <code>', 'postal code')
    .option(
      '--customer-code <code>',
      'of the registrar in the accounting service; the registrar code where there is none',
    )
    .addHelpText(
      'after',
      '\nExample: cadastre registrar invoice-details GAMMA --country EE --registry-code 12345678 --vat-number EE101234567',
    )
    .action(async (code: string, given: Given) => {
      const details = {
        country: given.country?.toUpperCase() ?? null,
        registryCode: textOf(given.registryCode),
        vatNumber: textOf(given.vatNumber),
        street: textOf(given.street),
        city: textOf(given.city),
        postalCode: textOf(given.postalCode),
        customerCode: textOf(given.customerCode),
      };
      await operate(setInvoiceDetails, { code, details }, given);
      printResult(given, `The documents about invoices of ${code} use these details from now on.`, {
        code,
        ...details,
      });
    });
}

const textOf = (given: string | undefined): string | null => given?.trim() || null;
