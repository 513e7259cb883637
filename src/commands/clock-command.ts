import { Command } from 'commander';
import { confirmClock } from '../installation/confirm-clock.ts';
import { CheckedClock, databaseTime } from '../platform/clock/checked-clock.ts';
import { readClockState } from '../platform/clock/clock-readings.ts';
import { readConfig } from '../platform/config/config.ts';
import type { Sql } from '../platform/sql/executor.ts';
import {
  type Changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating, withOperator } from './terminal/operate.ts';
import { printFields } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

const LEAP_ADVICE =
  'The time has leapt. If it is right: cadastre clock confirm. If it is not, correct the clocks of all machines, that of the database too.';

/** How far the clock of this machine is ahead of the database's. */
async function readOffset(db: Sql): Promise<number> {
  const maxOffsetMs = readConfig('production').maxClockOffsetMs;
  const clock = await CheckedClock.open({ readDatabaseTime: databaseTime(db), maxOffsetMs });
  return Math.round(clock.offsetMs);
}

/** Undefined if the clocks agree. */
function adviseOnOffset(offsetMs: number | null): string | undefined {
  const { maxClockOffsetMs } = readConfig('production');
  if (offsetMs === null || Math.abs(offsetMs) <= maxClockOffsetMs) return undefined;
  return [
    `The clock of this machine is ${Math.abs(offsetMs) / 1000} s ${offsetMs < 0 ? 'behind' : 'ahead of'} the database's: serve, work and commands that change something refuse.`,
    "Compare both with a third one: where every machine differs from the database, the database's is likely wrong.",
    'Correct the wrong one (timedatectl, chronyc tracking), and everything continues by itself.',
  ].join(' ');
}

export function clockCommand(): Command {
  const command = new Command('clock').description('the time by which jobs delete and end things');
  withJson(command.command('show'))
    .description('the time here and at the database, and whether it has leapt since workers last ran')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db, now, kind }) => {
        const { settled, leap } = await readClockState(db, now);
        // The clock of the sandbox is moved on purpose.
        const offsetMs = kind === 'sandbox' ? null : await readOffset(db);
        printFields(
          {
            now,
            databaseTime: offsetMs === null ? null : new Date(now.getTime() - offsetMs),
            offsetMs,
            deletesWhatWasOver: settled ?? null,
            leaptFrom: leap?.from ?? null,
            leaptTo: leap?.to ?? null,
            waitsUntil: leap?.waitsUntil ?? null,
            advice: adviseOnOffset(offsetMs) ?? (leap ? LEAP_ADVICE : null),
          },
          json,
        );
      }),
    );
  irreversible(operating(command.command('confirm'), confirmClock, { about: 'kept with it' }))
    .description('the time is right although it has leapt: jobs that end something go on')
    .addHelpText('after', '\nExample: cadastre clock confirm --reason "the machine was off for a week"')
    .action(async (options: Operating) => {
      const at = await withOperator(options, async ({ now }) => now);
      await requireConfirmation(
        options,
        `It is ${at.toISOString()}, and whatever is due by then is ended, within the daily limits.`,
      );
      const { from, to } = await operate(confirmClock, {}, options);
      printResult(options, `The leap to ${to.toISOString()} is confirmed.`, { from, to });
    });
  return command;
}
