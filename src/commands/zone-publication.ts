import type { Command } from 'commander';
import { escapeInvisibleInJson } from '../platform/values/normalise-text.ts';
import { policy } from '../policy/installed.ts';
import { checkProjection } from '../registry/zones/rebuild-zone.ts';
import { type ZoneRecord, zoneFileLine } from '../registry/zones/zone-record.ts';
import { readSerial, streamZone } from '../registry/zones/zone-store.ts';
import { listZones, readPublished } from '../registry/zones/zone-view.ts';
import { type Changing, withJson } from './terminal/changing.ts';
import { CommandError, print, printFields, printJson, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { withDatabase } from './terminal/with-database.ts';
import { ownerNamed, zoneNamed } from './zone-names.ts';
import { checkServed, type ServedOptions } from './zone-served.ts';

/** What is published, and whether it is what the domains say. */
export function addPublicationCommands(command: Command): void {
  withJson(command.command('serial'))
    .description('the serial of every zone, what is not published yet, and which zones are frozen')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        printRows(await listZones(db, policy), json);
      }),
    );
  withJson(command.command('show <name>'))
    .description('the records that are published for a domain, a zone, or a host below a domain')
    .action((text: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const owner = ownerNamed(text);
        const { records, waitingSince } = await readPublished(db, owner);
        const named =
          owner.host === undefined ? { name: owner.name } : { name: owner.host, domain: owner.name };
        const fields = { ...named, zone: owner.zone, inZone: records.length > 0, waitingSince };
        if (json) printJson({ ...fields, records });
        else printFields({ ...fields, inZone: fields.inZone ? 'yes' : 'no' }, false);
        if (!json && records.length > 0) print(`\n${records.map(zoneFileLine).join('\n')}`);
      }),
    );
  withJson(command.command('export <zone>'))
    .description('write a zone as a zone file, in canonical order; equal zones have equal files')
    .action((text: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
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

const neverPublished = (origin: string): CommandError =>
  new CommandError(`${origin} was never published: cadastre work does so.`);
