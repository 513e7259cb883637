import { Command } from 'commander';
import { parseDay } from '../platform/dates.ts';
import { parseDecimal } from '../platform/money.ts';
import { ee } from '../policy/ee.ts';
import { dayOf, parseBulkPeriod } from '../registry/domains/periods.ts';
import type { PricedOperation } from '../registry/prices/find.ts';
import { endPrice, listPrices, setPrices } from '../registry/prices/prices.ts';
import { withDatabase } from './connect.ts';
import { CommandError, print, printRows } from './output.ts';
import { zoneNamed } from './zone.ts';

export function priceCommand(): Command {
  const command = new Command('price').description('what creating and renewing costs, by zone and period');

  command
    .command('list')
    .description('all prices, or those of one zone')
    .option('--zone <zone>', 'only this zone')
    .option('--json', 'for scripts')
    .action(({ zone, json }: { zone?: string; json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listPrices(sql, zone), json)),
    );

  command
    .command('set <zone> <operation> <period> <amount>')
    .description('enter a price: operation create or renew, period 3m, 6m, 9m or 1y to 10y')
    .option('--from <day>', 'valid from this day on, yyyy-mm-dd (default: today)')
    .option('--reason <text>', 'kept in history')
    .addHelpText('after', '\nExample: cadastre price set ee create 1y 9.00 --from 2027-01-01')
    .action(
      (
        zone: string,
        operation: string,
        period: string,
        text: string,
        { from, reason }: { from?: string; reason?: string },
      ) =>
        withDatabase(async ({ sql, now, change }) => {
          const amount = parseDecimal(text);
          if (amount === undefined || amount <= 0n)
            throw new CommandError('The amount is a decimal above zero with two digits, such as 9.00.');
          const price = {
            zone: zoneNamed(zone),
            operation: operationNamed(operation),
            months: monthsNamed(period),
            amount,
          };
          const validFrom = from ?? dayOf(now, ee);
          if (!parseDay(validFrom)) throw new CommandError('--from is a day yyyy-mm-dd.');
          await setPrices(sql, [{ ...price, currency: ee.currency, validFrom }], change(reason));
          print(`From ${validFrom} on, ${operation} ${period} in ${zone} costs ${text} ${ee.currency}.`);
        }),
    );

  command
    .command('end <zone> <operation> <period>')
    .description('end a price; without another the period is no longer offered')
    .option('--on <day>', 'the first day without it, yyyy-mm-dd (default: today)')
    .option('--reason <text>', 'kept in history')
    .action(
      (zone: string, operation: string, period: string, { on, reason }: { on?: string; reason?: string }) =>
        withDatabase(async ({ sql, now, change }) => {
          const day = on ?? dayOf(now, ee);
          if (!parseDay(day)) throw new CommandError('--on is a day yyyy-mm-dd.');
          const price = {
            zone: zoneNamed(zone),
            operation: operationNamed(operation),
            months: monthsNamed(period),
            day,
          };
          if (!(await endPrice(sql, price, change(reason))))
            throw new CommandError(`No price for ${operation} ${period} in ${zone} is running on ${day}.`);
          print(`From ${day} on, ${operation} ${period} in ${zone} is not offered.`);
        }),
    );
  return command;
}

function operationNamed(text: string): PricedOperation {
  if (text === 'create' || text === 'renew') return text;
  throw new CommandError('The operation is create or renew.');
}

function monthsNamed(text: string): number {
  const months = parseBulkPeriod(text);
  if (months === undefined) throw new CommandError('The period is 3m, 6m, 9m, or 1y to 10y.');
  return months;
}
