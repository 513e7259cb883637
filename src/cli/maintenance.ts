import { Command } from 'commander';
import { readMaintenance, switchMaintenance } from '../platform/maintenance.ts';
import { withDatabase } from './connect.ts';
import { print, printFields } from './output.ts';

export function maintenanceCommand(): Command {
  const command = new Command('maintenance').description(
    'answer 503 to every API call, on every server, within seconds',
  );
  command
    .command('on')
    .description('begin maintenance')
    .option('--reason <text>', 'for your colleagues; clients do not see it')
    .action(({ reason }: { reason?: string }) =>
      withDatabase(async ({ sql, now }) => {
        await switchMaintenance(sql, { since: now, reason: reason ?? null });
        print('Maintenance is on.');
      }),
    );
  command
    .command('off')
    .description('end maintenance')
    .action(() =>
      withDatabase(async ({ sql }) => {
        await switchMaintenance(sql, undefined);
        print('Maintenance is off.');
      }),
    );
  command
    .command('status')
    .description('whether it is on, since when and why')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql }) => {
        const maintenance = await readMaintenance(sql);
        printFields(
          { maintenance: maintenance ? 'on' : 'off', since: maintenance?.since, reason: maintenance?.reason },
          json,
        );
      }),
    );
  return command;
}
