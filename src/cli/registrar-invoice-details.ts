import type { Command } from 'commander';
import { countries } from '../policy/countries.ts';
import { setInvoiceDetails } from '../registry/registrars/invoice-details.ts';
import { type Changing, changing, tell, withReason } from './changing.ts';
import { withDatabase } from './connect.ts';
import { CommandError } from './output.ts';

type Given = Changing & {
  readonly country?: string;
  readonly registryCode?: string;
  readonly vatNumber?: string;
  readonly street?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly customerCode?: string;
};

/** How long each may be; e-invoices set the limits. */
const LONGEST = {
  ...{ registryCode: 15, vatNumber: 15, street: 100, city: 100, postalCode: 10, customerCode: 32 },
} as const;

export function addInvoiceDetailsCommand(command: Command): void {
  changing(withReason(command.command('invoice-details <code>')))
    .description('who a registrar is on e-invoices and in accounting; replaces what was known')
    .option('--country <code>', 'two letters; the VAT code follows from it')
    .option('--registry-code <code>', 'e-invoices are addressed by it')
    .option('--vat-number <number>', 'his VAT number')
    .option('--street <text>', 'street and house')
    .option('--city <text>', 'city or parish')
    .option('--postal-code <code>', 'postal code')
    .option(
      '--customer-code <code>',
      'under which the accounting service knows him; his code where there is none',
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
        tell(given, `The documents about invoices of ${code} name him so from now on.`, { code, ...details });
      }, given),
    );
}

function countryOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const country = text.toUpperCase();
  if (!countries.has(country)) throw new CommandError(`${text} is no country code such as EE.`);
  return country;
}

function textOf(given: Given, name: keyof typeof LONGEST): string | null {
  const text = given[name]?.trim();
  if (text === undefined || text === '') return null;
  if (text.length > LONGEST[name])
    throw new CommandError(`${text} has more than ${LONGEST[name]} characters.`);
  return text;
}
