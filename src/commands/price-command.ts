import { Command } from 'commander';
import { parseDay } from '../platform/values/dates.ts';
import { AMOUNT_RULE, parseAmount, toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import { dayOf, parseBulkPeriod } from '../registry/domains/rules/periods.ts';
import { endPrice } from '../registry/prices/end-price.ts';
import { listPrices } from '../registry/prices/list-prices.ts';
import type { PricedOperation } from '../registry/prices/prices.ts';
import { setPrices } from '../registry/prices/set-prices.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operating, withOperator } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';
import { zoneNamed } from './zone-names.ts';

export function priceCommand(): Command {
  const command = new Command('price').description('what creating and renewing costs, by zone and period');

  withJson(command.command('list'))
    .description('all prices, or those of one zone')
    .option('--zone <zone>', 'only this zone')
    .action(({ zone, json }: Changing & { zone?: string }) =>
      withDatabase(async ({ sql: db }) => printRows(await listPrices(db, zone), json)),
    );

  changing(operating(command.command('set <zone> <operation> <period> <amount>'), setPrices))
    .description('enter a price: operation create or renew, period 3m, 6m, 9m or 1y to 10y')
    .option('--from <day>', 'valid from this day on, yyyy-mm-dd (default: today)')
    .addHelpText('after', '\nExample: cadastre price set policy create 1y 9.00 --from 2027-01-01')
    .action(
      (
        zone: string,
        operation: string,
        period: string,
        text: string,
        options: Operating & { from?: string },
      ) =>
        withOperator(options, async ({ run, now }) => {
          const amount = parseAmount(text);
          if (amount === undefined)
            throw new CommandError(`The amount is above zero, such as 9.00: ${AMOUNT_RULE}.`);
          const shown = toDecimal(amount);
          const price = {
            zone: zoneNamed(zone).origin,
            operation: operationNamed(operation),
            months: monthsNamed(period),
            amount,
          };
          const validFrom = options.from ?? dayOf(now, policy);
          if (!parseDay(validFrom)) throw new CommandError('--from is a day yyyy-mm-dd.');
          await run(setPrices, [{ ...price, validFrom }]);
          printResult(
            options,
            `From ${validFrom} on, ${operation} ${period} in ${zone} costs ${shown} ${policy.currency}.`,
            { zone, operation, period, amount: shown, validFrom },
          );
        }),
    );

  changing(operating(command.command('end <zone> <operation> <period>'), endPrice))
    .description('end a price; without another the period is no longer offered')
    .option('--on <day>', 'the first day without it, yyyy-mm-dd (default: today)')
    .action((zone: string, operation: string, period: string, options: Operating & { on?: string }) =>
      withOperator(options, async ({ run, now }) => {
        const day = options.on ?? dayOf(now, policy);
        if (!parseDay(day)) throw new CommandError('--on is a day yyyy-mm-dd.');
        const price = {
          zone: zoneNamed(zone).origin,
          operation: operationNamed(operation),
          months: monthsNamed(period),
          day,
        };
        await run(endPrice, price);
        printResult(options, `From ${day} on, ${operation} ${period} in ${zone} is not offered.`, {
          zone,
          operation,
          period,
          endsOn: day,
        });
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
