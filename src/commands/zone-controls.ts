import type { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { policy } from '../policy/installed.ts';
import { loadSigners } from '../registry/zones/published-domains.ts';
import { parentZone } from '../registry/zones/records.ts';
import { freezeZone, setZoneSigners, thawZone } from '../registry/zones/zone-controls.ts';
import type { DsData } from '../registry/zones/zone-record.ts';
import { requireReason } from './terminal/arguments.ts';
import { type Changing, changing, printResult, withReason } from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { requirePublication, zoneNamed } from './zone-names.ts';

/** What operators may do to publication. */
export function addControlCommands(command: Command): void {
  changing(command.command('freeze <zone>'))
    .description('stop the publication of a zone; what is published stays, and changes wait')
    .requiredOption('--reason <text>', 'for your colleagues; kept in history')
    .action((text: string, options: Changing & { reason: string }) =>
      withDatabase(async ({ sql: db, change }) => {
        await requirePublication(db);
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
        await requirePublication(db);
        const { origin } = zoneNamed(text);
        if (!(await thawZone(db, origin, change(options.reason))))
          throw new CommandError(`${origin} is not frozen.`);
        printResult(options, `${origin} is published again.`, { zone: origin, frozen: false });
      }, options),
    );
  changing(withReason(command.command('ds <zone> [records...]')))
    .description(
      'the delegation signers of a zone that another zone of ours delegates; records replace those there are',
    )
    .option('--none', 'remove all: the delegation becomes insecure')
    .addHelpText(
      'after',
      '\nA record is key tag, algorithm, digest type and digest, as the signer prints them.',
    )
    .action((text: string, records: string[], options: Changing & { none?: boolean }) =>
      withDatabase(async ({ sql: db, change }) => {
        await requirePublication(db);
        const { origin } = zoneNamed(text);
        const parent = parentZone(origin, policy);
        if (parent === undefined)
          throw new CommandError(`${origin} is not delegated by a zone of ours: send its DS to the parent.`);
        if (records.length === 0 && !options.none) {
          const present = (await loadSigners(db)).get(origin) ?? [];
          return printRows(present, options.json);
        }
        if (records.length > 0 && options.none)
          throw new CommandError('--none and records exclude each other.');
        const signers = records.map(parseDs);
        await setZoneSigners(db, { zone: origin, parent }, signers, change(options.reason));
        printResult(options, `${parent} delegates ${origin} with ${signers.length} delegation signers.`, {
          ...{ zone: origin, parent, signers: signers.length },
        });
      }, options),
    );
}

/** Length of the digests in bytes, by their type: SHA-1, SHA-256, SHA-384. */
const DIGEST_BYTES: Readonly<Record<number, number>> = { 1: 20, 2: 32, 4: 48 };

function parseDs(text: string): DsData {
  const [keyTag = '', algorithm = '', digestType = '', ...parts] = text.trim().split(/\s+/);
  const ds = {
    ...{ keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType) },
    digest: parts.join('').toUpperCase(),
  };
  const isValid =
    [keyTag, algorithm, digestType].every((number) => /^\d{1,5}$/.test(number)) &&
    ds.keyTag <= 65_535 &&
    ds.algorithm <= 255 &&
    /^[0-9A-F]+$/.test(ds.digest) &&
    ds.digest.length / 2 === DIGEST_BYTES[ds.digestType];
  if (!isValid)
    throw new CommandError(
      `${text} is no DS record: key tag, algorithm, digest type (1, 2 or 4) and a digest of its length.`,
    );
  return ds;
}
