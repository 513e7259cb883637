import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { readMaintenance, switchMaintenance } from '../platform/maintenance.ts';
import { type Changing, changing, printResult, withJson, withReason } from './terminal/changing.ts';
import { printFields } from './terminal/output.ts';

export function maintenanceCommand(): Command {
  const command = new Command('maintenance').description(
    'answer 503 to every API call, on every server, within seconds',
  );
  changing(withReason(command.command('on'), 'for your colleagues; clients do not see it'))
    .description('begin maintenance')
    .action((options: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        await switchMaintenance(db, { since: now, reason: options.reason ?? null });
        printResult(options, 'Maintenance is on.', { maintenance: 'on' });
      }, options),
    );
  changing(command.command('off'))
    .description('end maintenance')
    .action((options: Changing) =>
      withDatabase(async ({ sql: db }) => {
        await switchMaintenance(db, undefined);
        printResult(options, 'Maintenance is off.', { maintenance: 'off' });
      }, options),
    );
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
