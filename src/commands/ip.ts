import { isIP } from 'node:net';
import { Command } from 'commander';
import { type CommandContext, withDatabase } from '../app/with-database.ts';
import { normaliseAddress, parseAddressRange } from '../platform/values/ip-addresses.ts';
import {
  type AddressPurpose,
  allowAddresses,
  disallowAddresses,
  listAllowedAddresses,
  testAddress,
} from '../registry/registrars/allowed-addresses.ts';
import { listRegistrars } from '../registry/registrars/list-registrars.ts';
import { type Changing, changing, printResult, withJson, withReason } from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';

type OfList = Changing & { readonly console?: boolean };
const CONSOLE = [
  '--console',
  "the list of the people in the registrars' console instead of the API users'",
] as const;
const purposeOf = ({ console }: OfList): AddressPurpose => (console ? 'console' : 'api');

export function ipCommand(): Command {
  const command = new Command('ip').description(
    'addresses from which the users and people of a registrar may come',
  );

  changing(withReason(command.command('add <registrar> <range>')))
    .description('allow an address or a CIDR range; with the first one all others are refused')
    .option('--note <text>', 'what it is', '')
    .option(...CONSOLE)
    .addHelpText('after', '\nExample: cadastre ip add ALPHA 203.0.113.0/24 --note "office"')
    .action((registrar: string, text: string, options: OfList & { note: string }) =>
      withDatabase(async ({ sql: db, change }) => {
        const range = rangeOf(text);
        const { note, reason } = options;
        const outcome = await allowAddresses(
          db,
          registrar,
          { range, note },
          change(reason),
          purposeOf(options),
        );
        if (outcome !== 'allowed') throw new CommandError(`${text} was not entered: ${outcome}.`);
        printResult(
          options,
          `The ${options.console ? 'people' : 'users'} of ${registrar} may come from ${range}.`,
          { registrar, range, note },
        );
      }, options),
    );

  changing(withReason(command.command('remove <registrar> <range>')))
    .description('take a range from the list; once the last one is gone any address may come')
    .option(...CONSOLE)
    .action((registrar: string, text: string, options: OfList) =>
      withDatabase(async ({ sql: db, change }) => {
        const range = rangeOf(text);
        if (!(await disallowAddresses(db, registrar, range, change(options.reason), purposeOf(options))))
          throw new CommandError(`${registrar} has no range ${range} on the list.`);
        const left = (await listAllowedAddresses(db, registrar, purposeOf(options))).length;
        printResult(
          options,
          `${range} is off the list of ${registrar}. ${left === 0 ? 'It is empty now: any address may come.' : `${left} left.`}`,
          { registrar, range, left },
        );
      }, options),
    );

  withJson(command.command('list [registrar]'))
    .description('the lists of all registrars, or of one; who has none may come from anywhere')
    .option(...CONSOLE)
    .action((registrar: string | undefined, options: OfList) =>
      withDatabase(async ({ sql: db }) =>
        printRows(await listAllowedAddresses(db, registrar, purposeOf(options)), options.json),
      ),
    );

  withJson(command.command('test <registrar> <address>'))
    .description('say whether an address gets through the list, and why; exit code 1 when it does not')
    .option(...CONSOLE)
    .addHelpText('after', '\nExample: cadastre ip test ALPHA 203.0.113.7')
    .action((registrar: string, address: string, options: OfList) =>
      withDatabase(async (workplace) => test(workplace, registrar, address, options)),
    );
  return command;
}

async function test(
  { sql: db }: CommandContext,
  registrar: string,
  text: string,
  options: OfList,
): Promise<void> {
  const address = normaliseAddress(text);
  if (isIP(address) === 0) throw new CommandError(`${text} is no IP address.`);
  if ((await listRegistrars(db, registrar)).length === 0)
    throw new CommandError(`There is no registrar ${registrar}.`);
  const { allowed, reason } = await testAddress(db, registrar, address, purposeOf(options));
  if (!allowed) throw new CommandError(`${address} is refused: ${reason}.`);
  printResult(options, `${address} is allowed: ${reason}.`, { registrar, address, allowed, reason });
}

/** In stored form: an IPv4-mapped IPv6 address becomes the IPv4 address. */
function rangeOf(text: string): string {
  const range = parseAddressRange(text);
  if (!range) throw new CommandError(`${text} is neither an address nor a CIDR range.`);
  return `${range.address}/${range.prefix}`;
}
