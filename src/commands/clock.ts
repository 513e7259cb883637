import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { confirmLeap, readClockState } from '../platform/clock/clock-readings.ts';
import {
  type Changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
  withReason,
} from './terminal/changing.ts';
import { CommandError, printFields } from './terminal/output.ts';

export function clockCommand(): Command {
  const command = new Command('clock').description('the time by which jobs delete and end things');
  withJson(command.command('show'))
    .description('the present time, and whether it has leapt since workers last ran')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        const { settled, leap } = await readClockState(db, now);
        printFields(
          {
            now,
            deletesWhatWasOver: settled ?? null,
            leaptFrom: leap?.from ?? null,
            leaptTo: leap?.to ?? null,
            waitsUntil: leap?.waitsUntil ?? null,
          },
          json,
        );
      }),
    );
  irreversible(withReason(command.command('confirm'), 'kept with it'))
    .description('the time is right although it has leapt: jobs that end something go on')
    .addHelpText('after', '\nExample: cadastre clock confirm --reason "the machine was off for a week"')
    .action(async (options: Changing) => {
      const at = await withDatabase(async ({ now }) => now, options);
      await requireConfirmation(
        options,
        `It is ${at.toISOString()}, and whatever is due by then is ended, within the daily limits.`,
      );
      await withDatabase(async ({ sql: db, change }) => {
        const { actor, at: now, reason } = change(options.reason);
        const leap = await confirmLeap(db, { by: actor, at: now, reason });
        if (!leap) throw new CommandError('The time has not leapt: nothing waits for it.');
        printResult(options, `The leap to ${leap.to.toISOString()} is confirmed.`, {
          from: leap.from,
          to: leap.to,
        });
      }, options);
    });
  return command;
}
