import { isIP } from 'node:net';
import { Command } from 'commander';
import { normaliseAddress } from '../platform/values/ip-addresses.ts';
import type { AddressPurpose } from '../registry/registrars/address-list.ts';
import { allowAddresses } from '../registry/registrars/allow-addresses.ts';
import { disallowAddresses } from '../registry/registrars/disallow-addresses.ts';
import { listAllowedAddresses, testAddress } from '../registry/registrars/list-allowed-addresses.ts';
import { listRegistrars } from '../registry/registrars/list-registrars.ts';
import { changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { type CommandContext, withDatabase } from './terminal/with-database.ts';

type OfList = Operating & { readonly console?: boolean };
const CONSOLE = [
  '--console',
  "the list of the people in the registrars' console instead of the API users'",
] as const;
const purposeOf = ({ console }: OfList): AddressPurpose => (console ? 'console' : 'api');

export function ipCommand(): Command {
  const command = new Command('ip').description(
    'addresses from which the users and people of a registrar may come',
  );

  changing(operating(command.command('add <registrar> <range>'), allowAddresses))
    .description('allow an address or a CIDR range; with the first one all others are refused')
    .option('--note <text>', 'what it is', '')
    .option(...CONSOLE)
    .addHelpText('after', '\nExample: cadastre ip add ALPHA 203.0.113.0/24 --note "office"')
    .action(async (registrar: string, text: string, options: OfList & { note: string }) => {
      const wanted = { registrar, range: text, note: options.note, purpose: purposeOf(options) };
      const { range, note } = await operate(allowAddresses, wanted, options);
      const sentence = `The ${options.console ? 'people' : 'users'} of ${registrar} may come from ${range}.`;
      printResult(options, sentence, { registrar, range, note });
    });

  changing(operating(command.command('remove <registrar> <range>'), disallowAddresses))
    .description('take a range from the list; once the last one is gone any address may come')
    .option(...CONSOLE)
    .action(async (registrar: string, text: string, options: OfList) => {
      const wanted = { registrar, range: text, purpose: purposeOf(options) };
      const { range, left } = await operate(disallowAddresses, wanted, options);
      const others = left === 0 ? 'It is empty now: any address may come.' : `${left} left.`;
      const sentence = `${range} is off the list of ${registrar}. ${others}`;
      printResult(options, sentence, { registrar, range, left });
    });

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
