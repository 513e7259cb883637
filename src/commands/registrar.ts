import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { AMOUNT_RULE, parseAmount, toDecimal } from '../platform/values/money.ts';
import { isBlank } from '../platform/values/text.ts';
import { webAddress } from '../platform/values/web-address.ts';
import { countries } from '../policy/countries.ts';
import { policy } from '../policy/installed.ts';
import {
  createRegistrar,
  listRegistrars,
  setCompatibility,
  setInvoiceDetails,
  setLowBalance,
  setTopUp,
  suspendRegistrar,
  updateRegistrar,
} from '../registry/registrars/registrars.ts';
import { type Changing, changing, printResult, withJson, withReason } from './terminal/changing.ts';
import { CommandError, printFields, printRows } from './terminal/output.ts';
import {
  type PublicContactOptions,
  readPublicContact,
  withPublicContact,
} from './terminal/public-contact.ts';

type Details = Changing & PublicContactOptions & { readonly email?: string };

export function registrarCommand(): Command {
  const command = new Command('registrar').description(
    'accredited registrars: who they are and whether they may work',
  );

  withPublicContact(changing(withReason(command.command('create <code>'))))
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
      // EPP shows registrars as clIDType, whose length this is. The database has longer and shorter ones from before.
      if (!/^[A-Z0-9_-]{3,16}$/.test(code))
        throw new CommandError('A registrar code has 3 to 16 capital letters, digits, _ and -.');
      if (isBlank(name)) throw new CommandError('A registrar needs a name that is not empty.');
      requireWebsite(website);
      await withDatabase(async ({ sql: db, change }) => {
        const registrar = { code, name, website, email, ...readPublicContact(options) };
        if (!(await createRegistrar(db, registrar, policy.currency, change(options.reason))))
          throw new CommandError(`There is a registrar ${code} already.`);
        printResult(
          options,
          `Registrar ${code} is created. Create a user:  cadastre user create <username> --registrar ${code}`,
          registrar,
        );
      }, options);
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

  withPublicContact(changing(withReason(command.command('update <code>'))))
    .description('correct how a registrar is called or reached; what is left out stays')
    .option('--name <name>', 'as it is shown to everybody')
    .option('--website <url>', 'as it is shown to everybody')
    .option('--email <address>', 'where the registry writes to; none for nowhere')
    .action((code: string, options: Details & { name?: string; website?: string }) =>
      withDatabase(async ({ sql: db, change }) => {
        const { name, website, email } = options;
        const details = {
          ...(name !== undefined && { name }),
          ...(website !== undefined && { website }),
          ...(email !== undefined && { email: email === 'none' ? null : email }),
          ...readPublicContact(options),
        };
        if (Object.keys(details).length === 0)
          throw new CommandError('Give a new name, website, e-mail address, phone number or abuse contact.');
        if (name !== undefined && isBlank(name))
          throw new CommandError('A registrar needs a name that is not empty.');
        if (website !== undefined) requireWebsite(website);
        if (!(await updateRegistrar(db, code, details, change(options.reason))))
          throw new CommandError(`There is no registrar ${code}.`);
        printResult(options, `Registrar ${code} is updated.`, { code, ...details });
      }, options),
    );

  changing(withReason(command.command('low-balance <code> <amount>')))
    .description('notify a registrar by poll message when its balance falls below the amount; none for never')
    .addHelpText('after', '\nExample: cadastre registrar low-balance GAMMA 500.00')
    .action((code: string, text: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        const threshold = text === 'none' ? undefined : parseAmount(text);
        if (text !== 'none' && threshold === undefined)
          throw new CommandError(`The amount is such as 500.00, or the word none: ${AMOUNT_RULE}.`);
        if (!(await setLowBalance(db, code, threshold, change(options.reason))))
          throw new CommandError(`There is no registrar ${code}.`);
        printResult(
          options,
          threshold === undefined
            ? `Registrar ${code} is not told of a low balance.`
            : `Registrar ${code} is notified when its balance falls below ${toDecimal(threshold)}.`,
          { code, lowBalance: threshold === undefined ? null : toDecimal(threshold) },
        );
      }, options),
    );

  changing(withReason(command.command('top-up <code> <amount>')))
    .description(
      'send a registrar an invoice over the amount when its balance falls to a threshold; none for never',
    )
    .option('--at <threshold>', 'the balance at which it is sent', '0.00')
    .addHelpText('after', '\nExample: cadastre registrar top-up GAMMA 1000.00 --at 200.00')
    .action((code: string, text: string, options: Changing & { at: string }) =>
      withDatabase(async ({ sql: db, change }) => {
        const { at, reason } = options;
        const amount = text === 'none' ? undefined : parseAmount(text);
        const threshold = parseAmount(at);
        if (text !== 'none' && (!amount || threshold === undefined))
          throw new CommandError(`Both amounts are such as 1000.00: ${AMOUNT_RULE}.`);
        const topUp = amount === undefined || threshold === undefined ? undefined : { amount, threshold };
        if (!(await setTopUp(db, code, topUp, change(reason))))
          throw new CommandError(`There is no registrar ${code}.`);
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
      }, options),
    );

  addCompatibilityCommand(command);
  addInvoiceDetailsCommand(command);

  for (const [verb, suspended] of [
    ['suspend', true],
    ['activate', false],
  ] as const) {
    changing(withReason(command.command(`${verb} <code>`)))
      .description(
        suspended
          ? 'shut a registrar out, within seconds on every server'
          : 'let a suspended registrar in again',
      )
      .action((code: string, options: Changing) =>
        withDatabase(async ({ sql: db, change }) => {
          if (!(await suspendRegistrar(db, code, suspended, change(options.reason))))
            throw new CommandError(`There is no registrar ${code}.`);
          const status = suspended ? 'suspended' : 'active';
          printResult(options, `Registrar ${code} is ${status}.`, { code, status });
        }, options),
      );
  }
  return command;
}

/** Shown as a link. The database may have others from before. */
function requireWebsite(text: string): void {
  if (text !== '' && webAddress(text) === undefined)
    throw new CommandError('--website is an address such as https://gamma.example, or empty.');
}

function addCompatibilityCommand(command: Command): void {
  changing(withReason(command.command('compatibility <code> <on|off>')))
    .description("read a registrar's requests as the incumbent's API did, within seconds on every server")
    .addHelpText(
      'after',
      '\nExample: cadastre registrar compatibility GAMMA on\nWhat it changes: docs/guides/from-the-incumbent.md',
    )
    .action((code: string, word: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        if (word !== 'on' && word !== 'off')
          throw new CommandError('The compatibility profile is on or off.');
        if (!(await setCompatibility(db, code, word === 'on', change(options.reason))))
          throw new CommandError(`There is no registrar ${code}.`);
        printResult(options, `The compatibility profile of registrar ${code} is ${word}.`, {
          code,
          compatibility: word === 'on',
        });
      }, options),
    );
}

type Given = Changing & {
  readonly country?: string;
  readonly registryCode?: string;
  readonly vatNumber?: string;
  readonly street?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly customerCode?: string;
};

/** Limits of the e-invoice format. */
const MAX_LENGTH = {
  ...{ registryCode: 15, vatNumber: 15, street: 100, city: 100, postalCode: 10, customerCode: 32 },
} as const;

function addInvoiceDetailsCommand(command: Command): void {
  changing(withReason(command.command('invoice-details <code>')))
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
    .action((code: string, given: Given) =>
      withDatabase(async ({ sql: db, change }) => {
        const details = {
          country: countryOf(given.country),
          registryCode: textOf(given, 'registryCode'),
          vatNumber: textOf(given, 'vatNumber'),
          street: textOf(given, 'street'),
          city: textOf(given, 'city'),
          postalCode: textOf(given, 'postalCode'),
          customerCode: textOf(given, 'customerCode'),
        };
        if (!(await setInvoiceDetails(db, code, details, change(given.reason))))
          throw new CommandError(`There is no registrar ${code}.`);
        printResult(given, `The documents about invoices of ${code} use these details from now on.`, {
          code,
          ...details,
        });
      }, given),
    );
}

function countryOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const country = text.toUpperCase();
  if (!countries.has(country)) throw new CommandError(`${text} is no country code such as EE.`);
  return country;
}

function textOf(given: Given, name: keyof typeof MAX_LENGTH): string | null {
  const text = given[name]?.trim();
  if (text === undefined || text === '') return null;
  if (text.length > MAX_LENGTH[name])
    throw new CommandError(`${text} has more than ${MAX_LENGTH[name]} characters.`);
  return text;
}
