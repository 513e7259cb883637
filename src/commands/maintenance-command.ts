import { Command } from 'commander';
import { switchMaintenance } from '../installation/switch-maintenance.ts';
import { readMaintenance } from '../platform/read-maintenance.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { printFields } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

export function maintenanceCommand(): Command {
  const command = new Command('maintenance').description(
    'answer 503 to every API call, on every server, within seconds',
  );
  const about = 'for your colleagues; clients do not see it';
  changing(operating(command.command('on'), switchMaintenance, { about }))
    .description('begin maintenance')
    .action(async (options: Operating) => {
      await operate(switchMaintenance, { isOn: true }, options);
      printResult(options, 'Maintenance is on.', { maintenance: 'on' });
    });
  changing(operating(command.command('off'), switchMaintenance))
    .description('end maintenance')
    .action(async (options: Operating) => {
      await operate(switchMaintenance, { isOn: false }, options);
      printResult(options, 'Maintenance is off.', { maintenance: 'off' });
    });
  withJson(command.command('status'))
    .description('whether it is on, since when and why')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const maintenance = await readMaintenance(db);
        printFields(
          { maintenance: maintenance ? 'on' : 'off', since: maintenance?.since, reason: maintenance?.reason },
          json,
        );
      }),
    );
  return command;
}
