import { Command } from 'commander';
import { announceMaintenance } from '../installation/announce-maintenance.ts';
import { switchMaintenance } from '../installation/switch-maintenance.ts';
import { readMaintenance } from '../platform/read-maintenance.ts';
import { parseMoment } from '../platform/values/dates.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printFields } from './terminal/output.ts';
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
  changing(operating(command.command('announce'), announceMaintenance))
    .description('tell every registrar of maintenance to come, by the event maintenance.announced')
    .requiredOption('--from <time>', 'when it is to begin, such as 2031-06-01T02:00+03:00')
    .requiredOption('--until <time>', 'when it is to be over')
    .option('--text <text>', 'what registrars are told beside that')
    .action(async (options: Operating & { from: string; until: string; text?: string }) => {
      const announced = {
        startsAt: momentOption('--from', options.from),
        endsAt: momentOption('--until', options.until),
        text: options.text ?? null,
      };
      const { registrars } = await operate(announceMaintenance, announced, options);
      printResult(options, `${registrars} registrars are told.`, { registrars, ...announced });
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

const momentOption = (name: string, text: string): Date => {
  const moment = parseMoment(text);
  if (!moment) throw new CommandError(`${name} is a time with its offset, such as 2031-06-01T02:00+03:00.`);
  return moment;
};
