import type { Command } from 'commander';
import { textOf } from '../operations/refusal.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { policy } from '../policy/installed.ts';
import { refusal } from '../registry/operator-refusals.ts';
import { freezeZone } from '../registry/zones/freeze-zone.ts';
import { lowerSerial } from '../registry/zones/lower-serial.ts';
import { loadSigners } from '../registry/zones/published-domains.ts';
import { raiseSerialAbove } from '../registry/zones/raise-serial-above.ts';
import { parentZone } from '../registry/zones/records.ts';
import { setDelegationSigners } from '../registry/zones/set-delegation-signers.ts';
import { thawZone } from '../registry/zones/thaw-zone.ts';
import { parseDelegationSigners } from './delegation-signers.ts';
import { changing, irreversible, printResult, requireConfirmation } from './terminal/changing.ts';
import { type Operating, operate, operating, withOperator } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { zoneNamed } from './zone-names.ts';

/** What operators may do to publication. */
export function addControlCommands(command: Command): void {
  changing(
    operating(command.command('freeze <zone>'), freezeZone, {
      about: 'for your colleagues; kept in history',
      isRequired: true,
    }),
  )
    .description('stop the publication of a zone; what is published stays, and changes wait')
    .action(async (text: string, options: Operating) => {
      const { zone } = await operate(freezeZone, { zone: zoneNamed(text).origin }, options);
      printResult(options, `${zone} is frozen: changes of its domains wait.`, { zone, frozen: true });
    });
  changing(operating(command.command('thaw <zone>'), thawZone))
    .description('publish what has waited, and go on')
    .action(async (text: string, options: Operating) => {
      const { zone } = await operate(thawZone, { zone: zoneNamed(text).origin }, options);
      printResult(options, `${zone} is published again.`, { zone, frozen: false });
    });
  irreversible(operating(command.command('raise <zone>'), raiseSerialAbove))
    .description('publish the zone as it is with a higher serial, for a server that has a later one than we')
    .requiredOption('--above <serial>', 'that of the server')
    .addHelpText('after', '\nExample: cadastre zone raise ee --above 2031013101 --reason "typed wrong"')
    .action(async (text: string, options: Operating & { above: string }) => {
      const [{ origin: zone }, above] = [zoneNamed(text), parseSerial(options.above)];
      await requireConfirmation(options, `The serials of ${zone} go on after ${above} for good.`);
      await withOperator(options, async ({ run }) => {
        // Serials follow the wall clock: secondaries do not know that of a sandbox.
        const raised = await run(raiseSerialAbove, { zone, above, publishedAt: wallClock.now() });
        const { before, serial } = raised;
        printResult(options, `${zone} has serial ${serial} instead of ${before}.`, { zone, before, serial });
      });
    });
  irreversible(operating(command.command('lower <zone>'), lowerSerial))
    .description('lead a serial that is ahead back to the date, in two steps')
    .addHelpText('after', '\nExample: cadastre zone lower ee --reason "the clock of the worker was wrong"')
    .action(async (text: string, options: Operating) => {
      const { origin: zone } = zoneNamed(text);
      await requireConfirmation(
        options,
        `Servers that miss one of the two steps take nothing of ${zone} afterwards.`,
      );
      await withOperator(options, async ({ run }) => {
        const lowered = await run(lowerSerial, { zone, publishedAt: wallClock.now() });
        const { before, serial, isLast } = lowered;
        const next = isLast
          ? 'It follows the date again.'
          : 'When every server has it, public ones too, run the command once more.';
        printResult(options, `${zone} has serial ${serial} instead of ${before}. ${next}`, {
          zone,
          before,
          serial,
          isLast,
        });
      });
    });
  irreversible(operating(command.command('ds <zone> [records...]'), setDelegationSigners))
    .description(
      'the delegation signers of a zone that another zone of ours delegates; records replace those there are',
    )
    .option('--none', 'remove all: the delegation becomes insecure')
    .addHelpText(
      'after',
      '\nA record is what the signer prints, such as: com.ee. DS 4711 13 2 0123…EF; name, TTL, class and type may be left out.',
    )
    .action(async (text: string, records: string[], options: Operating & { none?: boolean }) => {
      const { origin: zone } = zoneNamed(text);
      if (parentZone(zone, policy) === undefined)
        throw new CommandError(`${textOf(refusal('zoneNotDelegated', { zone }))}.`);
      if (records.length > 0 && options.none)
        throw new CommandError('--none and records exclude each other.');
      const signers = parseDelegationSigners(records, zone);
      if (options.none)
        await requireConfirmation(options, `${zone} and all domains in it are no longer validated.`);
      await withOperator(options, async ({ run, database }) => {
        if (signers.length === 0 && !options.none)
          return printRows((await loadSigners(database.reads)).get(zone) ?? [], options.json);
        const { parent } = await run(setDelegationSigners, { zone, signers });
        const count = signers.length === 1 ? '1 delegation signer' : `${signers.length} delegation signers`;
        printResult(options, `${parent} delegates ${zone} with ${count}.`, {
          zone,
          parent,
          signers: signers.length,
        });
      });
    });
}

function parseSerial(text: string): number {
  const serial = Number(text);
  if (!/^\d{1,10}$/.test(text) || serial >= 2 ** 32)
    throw new CommandError('--above is a serial, a whole number below 4294967296.');
  return serial;
}
