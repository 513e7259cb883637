import type { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { policy } from '../policy/installed.ts';
import { loadSigners } from '../registry/zones/published-domains.ts';
import { lowerSerial, raiseSerialAbove } from '../registry/zones/raise-serials.ts';
import { parentZone } from '../registry/zones/records.ts';
import { freezeZone, setZoneSigners, thawZone } from '../registry/zones/zone-controls.ts';
import { parseDelegationSigners } from './delegation-signers.ts';
import { requireReason } from './terminal/arguments.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withReason,
} from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { zoneNamed } from './zone-names.ts';

/** What operators may do to publication. */
export function addControlCommands(command: Command): void {
  changing(command.command('freeze <zone>'))
    .description('stop the publication of a zone; what is published stays, and changes wait')
    .requiredOption('--reason <text>', 'for your colleagues; kept in history')
    .action((text: string, options: Changing & { reason: string }) =>
      withDatabase(async ({ sql: db, change }) => {
        const { origin } = zoneNamed(text);
        if (!(await freezeZone(db, origin, change(requireReason(options.reason)))))
          throw new CommandError(
            `${origin} is frozen already, or was never published; see: cadastre zone serial`,
          );
        printResult(options, `${origin} is frozen: changes of its domains wait.`, {
          ...{ zone: origin, frozen: true },
        });
      }, options),
    );
  changing(withReason(command.command('thaw <zone>')))
    .description('publish what has waited, and go on')
    .action((text: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        const { origin } = zoneNamed(text);
        if (!(await thawZone(db, origin, change(options.reason))))
          throw new CommandError(`${origin} is not frozen.`);
        printResult(options, `${origin} is published again.`, { zone: origin, frozen: false });
      }, options),
    );
  irreversible(withReason(command.command('raise <zone>')))
    .description('publish the zone as it is with a higher serial, for a server that has a later one than we')
    .requiredOption('--above <serial>', 'that of the server')
    .addHelpText('after', '\nExample: cadastre zone raise ee --above 2031013101 --reason "typed wrong"')
    .action(async (text: string, options: Changing & { above: string }) => {
      const [{ origin }, above] = [zoneNamed(text), parseSerial(options.above)];
      await requireConfirmation(options, `The serials of ${origin} go on after ${above} for good.`);
      await withDatabase(async ({ sql: db, change }) => {
        // Serials follow the wall clock: secondaries do not know that of a sandbox.
        const order = { zone: origin, above, now: wallClock.now() };
        const raised = await db.begin((changes) => raiseSerialAbove(changes, order, change(options.reason)));
        if (typeof raised === 'string') throw new CommandError(NOT_RAISED[raised](origin, above));
        const { before, serial } = raised;
        printResult(options, `${origin} has serial ${serial} instead of ${before}.`, {
          ...{ zone: origin, before, serial },
        });
      }, options);
    });
  irreversible(withReason(command.command('lower <zone>')))
    .description('lead a serial that is ahead back to the date, in two steps')
    .addHelpText('after', '\nExample: cadastre zone lower ee --reason "the clock of the worker was wrong"')
    .action(async (text: string, options: Changing) => {
      const { origin } = zoneNamed(text);
      await requireConfirmation(
        options,
        `Servers that miss one of the two steps take nothing of ${origin} afterwards.`,
      );
      await withDatabase(async ({ sql: db, change }) => {
        const order = { zone: origin, now: wallClock.now() };
        const lowered = await db.begin((changes) => lowerSerial(changes, order, change(options.reason)));
        if (typeof lowered === 'string') throw new CommandError(NOT_LOWERED[lowered](origin));
        if ('behind' in lowered)
          throw new CommandError(
            `These secondaries do not have the first step yet: ${lowered.behind.join(', ')}. See: cadastre dns secondary list`,
          );
        const { before, serial, isLast } = lowered;
        const next = isLast
          ? 'It follows the date again.'
          : 'When every server has it, public ones too, run the command once more.';
        printResult(options, `${origin} has serial ${serial} instead of ${before}. ${next}`, {
          ...{ zone: origin, before, serial, isLast },
        });
      }, options);
    });
  irreversible(withReason(command.command('ds <zone> [records...]')))
    .description(
      'the delegation signers of a zone that another zone of ours delegates; records replace those there are',
    )
    .option('--none', 'remove all: the delegation becomes insecure')
    .addHelpText(
      'after',
      '\nA record is what the signer prints, such as: com.ee. DS 4711 13 2 0123…EF; name, TTL, class and type may be left out.',
    )
    .action(async (text: string, records: string[], options: Changing & { none?: boolean }) => {
      const { origin } = zoneNamed(text);
      const parent = parentZone(origin, policy);
      if (parent === undefined)
        throw new CommandError(`${origin} is not delegated by a zone of ours: send its DS to the parent.`);
      if (records.length > 0 && options.none)
        throw new CommandError('--none and records exclude each other.');
      const signers = parseDelegationSigners(records, origin);
      if (options.none)
        await requireConfirmation(options, `${origin} and all domains in it are no longer validated.`);
      await withDatabase(async ({ sql: db, change }) => {
        if (signers.length === 0 && !options.none)
          return printRows((await loadSigners(db)).get(origin) ?? [], options.json);
        await setZoneSigners(db, { zone: origin, parent }, signers, change(options.reason));
        const count = signers.length === 1 ? '1 delegation signer' : `${signers.length} delegation signers`;
        printResult(options, `${parent} delegates ${origin} with ${count}.`, {
          ...{ zone: origin, parent, signers: signers.length },
        });
      }, options);
    });
}

const NOT_LOWERED = {
  'never published': (zone: string) => `${zone} was never published: cadastre work does so.`,
  frozen: (zone: string) => `${zone} is frozen, and gets no new serial; thaw it first.`,
  'not ahead': (zone: string) => `The serial of ${zone} is not ahead of the date.`,
} as const;

const NOT_RAISED = {
  'never published': (zone: string) => `${zone} was never published: cadastre work does so.`,
  frozen: (zone: string) => `${zone} is frozen, and gets no new serial; thaw it first.`,
  'is later already': (zone: string, above: number) =>
    `The serial of ${zone} is later than ${above} already.`,
  'too far': (zone: string, above: number) =>
    `${above} is half of all serials away from that of ${zone}, and its servers would take it for an older one.`,
} as const;

function parseSerial(text: string): number {
  const serial = Number(text);
  if (!/^\d{1,10}$/.test(text) || serial >= 2 ** 32)
    throw new CommandError('--above is a serial, a whole number below 4294967296.');
  return serial;
}
