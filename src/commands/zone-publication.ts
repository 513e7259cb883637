import type { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { escapeInvisibleInJson } from '../platform/values/text.ts';
import { policy } from '../policy/installed.ts';
import type { Zone } from '../policy/policy.ts';
import { parseDomainName } from '../registry/names/name.ts';
import { checkProjection, rebuildZone } from '../registry/zones/rebuild-zone.ts';
import { labelOf, parentZone } from '../registry/zones/records.ts';
import { type ZoneRecord, zoneFileLine } from '../registry/zones/zone-record.ts';
import { readSerial, streamZone } from '../registry/zones/zone-store.ts';
import { listZones, readPublished } from '../registry/zones/zone-view.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { CommandError, print, printFields, printJson, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { requirePublication, zoneNamed } from './zone-names.ts';
import { checkServed, type ServedOptions } from './zone-served.ts';

/** What is published, and whether it is what the domains say. */
export function addPublicationCommands(command: Command): void {
  withJson(command.command('serial'))
    .description('the serial of every zone, what is not published yet, and which zones are frozen')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        await requirePublication(db);
        printRows(await listZones(db, policy), json);
      }),
    );
  withJson(command.command('show <name>'))
    .description('the records that are published for a domain or a zone')
    .action((text: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        await requirePublication(db);
        const { zone, ...owner } = ownerNamed(text);
        const { records, waitingSince } = await readPublished(db, zone, owner);
        const fields = { name: owner.name, zone, inZone: records.length > 0, waitingSince };
        if (json) printJson({ ...fields, records });
        else printFields({ ...fields, inZone: fields.inZone ? 'yes' : 'no' }, false);
        if (!json && records.length > 0) print(`\n${records.map(zoneFileLine).join('\n')}`);
      }),
    );
  withJson(command.command('export <zone>'))
    .description('write a zone as a zone file, in canonical order; equal zones have equal files')
    .action((text: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        await requirePublication(db);
        const { origin } = zoneNamed(text);
        if ((await readSerial(db, origin)) === undefined) throw neverPublished(origin);
        for await (const page of streamZone(db, origin))
          print(json ? jsonLines(page) : page.map(zoneFileLine).join('\n'));
        if (json) print(']');
      }),
    );
  withJson(command.command('check [zone]'))
    .description('compare what is published with the domains, or with what a server has, in one zone or all')
    .option(
      '--server <address>',
      'compare with this server instead, by AXFR; records of the signer do not count',
    )
    .option('--key <name>', 'the key that the server accepts; see: cadastre dns key list')
    .addHelpText('after', '\nExample: cadastre zone check ee --server 192.0.2.53 --key signer-2031')
    .action((text: string | undefined, { json, ...served }: Changing & ServedOptions) =>
      withDatabase(async ({ sql: db }) => {
        await requirePublication(db);
        const zones = text === undefined ? policy.zones : [zoneNamed(text)];
        if (served.server !== undefined) {
          const origins = zones.map(({ origin }) => origin);
          await checkServed(db, origins, { ...served, ...(json !== undefined && { json }) });
          return;
        }
        const checked: ZoneCheck[] = [];
        for (const zone of zones)
          checked.push({
            zone: zone.origin,
            ...(await withProgress(`checking ${zone.origin}`, () => checkProjection(db, zone, policy))),
          });
        report(checked, json);
      }),
    );
  changing(command.command('rebuild <zone>'))
    .description('publish every difference that a check finds, as one serial')
    .action((text: string, options: Changing) =>
      withDatabase(async ({ sql: db }) => {
        await requirePublication(db);
        const zone = zoneNamed(text);
        await requireThawed(zone.origin, () => listZones(db, policy));
        // Serials follow the wall clock: secondaries do not know that of a sandbox.
        const rebuild = () => rebuildZone(db, zone, policy, wallClock.now());
        const { serial, owners } = await withProgress(`rebuilding ${zone.origin}`, rebuild);
        const sentence =
          serial === undefined
            ? `${zone.origin} was as its domains say.`
            : `${owners} names of ${zone.origin} were changed, by serial ${serial}.`;
        printResult(options, sentence, { zone: zone.origin, serial: serial ?? null, owners });
      }, options),
    );
}

/** Part of one array, since a zone does not fit into memory. Only its first page begins with the SOA. */
const jsonLines = (page: readonly ZoneRecord[]): string =>
  page
    .map((record) => (record.type === 'SOA' ? '[ ' : ', ') + escapeInvisibleInJson(JSON.stringify(record)))
    .join('\n');

type ZoneCheck = { readonly zone: string } & Awaited<ReturnType<typeof checkProjection>>;

function report(checked: readonly ZoneCheck[], json: boolean | undefined): void {
  if (json) printJson(checked);
  else
    printRows(
      checked.map(({ zone, domains, waiting, count }) => ({ zone, domains, waiting, differences: count })),
      false,
    );
  const wrong = checked.filter(({ count }) => count > 0);
  if (wrong.length === 0) return;
  const lines = wrong.flatMap(({ differences }) =>
    differences.flatMap(({ removed, added }) => [
      ...removed.map((record) => `- ${zoneFileLine(record)}`),
      ...added.map((record) => `+ ${zoneFileLine(record)}`),
    ]),
  );
  const names = wrong.map(({ zone }) => zone).join(', ');
  throw new CommandError(
    `${lines.join('\n')}\nThe published records are not those of the domains in ${names}; see: cadastre zone rebuild`,
  );
}

async function requireThawed(origin: string, list: () => ReturnType<typeof listZones>): Promise<void> {
  const zone = (await list()).find((one) => one.zone === origin);
  if (zone?.frozenSince)
    throw new CommandError(`${origin} is frozen since ${zone.frozenSince.toISOString()}; thaw it first.`);
}

/** The zone in which a domain, or a zone of ours, is published, and where. */
function ownerNamed(text: string): { zone: string; name: string; label: string } {
  const domain = parseDomainName(text, policy);
  if (domain)
    return {
      zone: domain.zone,
      name: domain.unicode,
      label: labelOf(domain.unicode, domain.zone) ?? '',
    };
  const { origin }: Zone = zoneNamed(text);
  const parent = parentZone(origin, policy);
  return parent === undefined
    ? { zone: origin, name: origin, label: '' }
    : { zone: parent, name: origin, label: labelOf(origin, parent) ?? '' };
}

const neverPublished = (origin: string): CommandError =>
  new CommandError(`${origin} was never published: cadastre work does so.`);
