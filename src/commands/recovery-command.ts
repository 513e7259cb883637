import { Command } from 'commander';
import { wallClock } from '../platform/clock/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { readPlace } from '../platform/installation-copy.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { installationKind } from '../platform/migrations/migrate.ts';
import { policy } from '../policy/installed.ts';
import { confirmRecovery } from '../recovery/confirm-recovery.ts';
import { listDnsSettings } from '../recovery/dns-settings.ts';
import { findLostRequests, LogNotUnderstood, summariseLostRequests } from '../recovery/lost-requests.ts';
import { findRecoveryPoint, reportRecovery } from '../recovery/recovery-report.ts';
import { repairRecovery } from '../recovery/repair-recovery.ts';
import {
  type Changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operating, runnerOn, withOperator } from './terminal/operate.ts';
import { CommandError, print, printJson, printRows } from './terminal/output.ts';
import { requireCorrectClock } from '../platform/clock/require-correct-clock.ts';
import { findOwnerTarget, withDatabase, withOwner } from './terminal/with-database.ts';

type Since = { readonly since?: string };
const DEFAULT_IDS = '100000';
const SINCE = [
  '--since <time>',
  'the time that the database was taken back to, as 2031-01-31T03:00:00Z; by default that of the restored backup, else of the newest thing in it',
] as const;

export function recoveryCommand(): Command {
  const command = new Command('recovery').description('after the database was taken back to an earlier time');
  withJson(command.command('show'))
    .description('what may have been lost, what would happen a second time, and who is to be told')
    .option(...SINCE)
    .option(
      '--log <file...>',
      'logs of the servers: finds writes that were acknowledged and are lost, by registrar',
    )
    .option('--requests', 'list the lost writes one by one instead of counting them')
    .action((options: Changing & Since & { log?: string[]; requests?: boolean }) =>
      withDatabase(async ({ sql: db, now }) => {
        if (options.requests && !options.log)
          throw new CommandError('--requests needs --log with the logs of the servers.');
        const recoveryPoint = sinceOf(options) ?? (await findRecoveryPoint(db, now));
        const report = await reportRecovery(db, recoveryPoint, now);
        const found = options.log && (await compareLogs(db, options.log, recoveryPoint));
        const dns = await listDnsSettings(db, policy);
        if (options.json) return printJson({ ...report, dns, ...found });
        print(`The database is as of ${recoveryPoint.toISOString()}.\n`);
        printRows(report.items, false);
        print(
          '\nSettings of the DNS as they were then; repeat what was changed since before serve is started:',
        );
        printRows(dns, false);
        print('\nRegistrars that were active in the day before, to be told:');
        printRows(report.registrars, false);
        if (!found) return;
        const { log, lost, lostRequests } = found;
        print(`\nLines of the logs: ${log.lines}, of which requests: ${log.requests}.`);
        print('Writes that were answered afterwards and are not in history:');
        printRows(options.requests ? lostRequests : lost, false);
      }),
    );
  const about = 'kept with what was repaired';
  irreversible(operating(command.command('repair'), repairRecovery, { about }))
    .description('move numbers, ids and serials on, hold mails that may have been sent, poll open payments')
    .option(...SINCE)
    .option(
      '--invoice-numbers <count>',
      'how far to move the ranges of invoice numbers on; by default ten times what is usual for the time lost, and at least 100',
    )
    .option('--ids <count>', 'how far to move all ids on', DEFAULT_IDS)
    .addHelpText('after', '\nUses DATABASE_OWNER_URL where it is set, else DATABASE_URL.')
    .action(async (options: Operating & Since & { invoiceNumbers?: string; ids: string }) => {
      await requireConfirmation(options, 'Numbers that are left out are never issued.');
      const repair = {
        since: sinceOf(options),
        invoiceNumbers: countOf('--invoice-numbers', options.invoiceNumbers),
        ids: countOf('--ids', options.ids) ?? 0,
      };
      await withOwner(async (owner, config) => {
        const kind = await installationKind(owner);
        const now = kind === 'sandbox' ? wallClock.now() : (await requireCorrectClock(owner, config)).now();
        const done = await runnerOn(owner, now, options)(repairRecovery, repair);
        const sentence = `Invoice numbers were moved on by ${done.invoiceNumbers} in ${done.invoiceRanges} ranges, ids by ${done.ids} in ${done.identityColumns} tables; ${done.mailsHeld} mails are held (cadastre mail list), ${done.paymentsToPoll} payments are polled, ${done.zonesRaised} zones have higher serials.`;
        printResult(options, sentence, done);
      });
    });
  irreversible(operating(command.command('confirm'), confirmRecovery))
    .description('declare that this database replaces the original, which never runs again')
    .option('--without-repair', 'of a restored backup after which nothing was written to the original')
    .action(async (options: Operating & { withoutRepair?: boolean }) => {
      const config = readConfig('production');
      const { withoutRepair = false } = options;
      const target = config.databaseUrl ?? findOwnerTarget(config);
      const confirm = (given: Operating) =>
        withOperator(given, async ({ database: { writes }, run }) =>
          run(confirmRecovery, { place: await readPlace(writes, target), withoutRepair }),
        );
      await confirm({ ...options, dryRun: true });
      await requireConfirmation(
        options,
        'From now on this database is the registry: if the original still runs, mails, refunds and messages are sent twice.',
      );
      await confirm(options);
      printResult(options, 'This database is the registry itself.', { copy: 'no' });
    });
  return command;
}

async function compareLogs(db: Sql, files: readonly string[], recoveryPoint: Date) {
  const { log, lostRequests } = await findLostRequests(db, files, recoveryPoint).catch((error: unknown) => {
    throw error instanceof LogNotUnderstood ? new CommandError(error.message) : error;
  });
  return { log, lost: summariseLostRequests(lostRequests), lostRequests };
}

/** Undefined where none is given. */
function sinceOf({ since }: Since): Date | undefined {
  if (since === undefined) return undefined;
  const at = new Date(since);
  if (!/^\d{4}-\d\d-\d\dT/.test(since) || Number.isNaN(at.getTime()))
    throw new CommandError('--since is a time such as 2031-01-31T03:00:00Z.');
  return at;
}

function countOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new CommandError(`${option} is a whole number up to 999999999.`);
  return Number(text);
}
