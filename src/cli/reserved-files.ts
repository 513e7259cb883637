import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import { parseMoment } from '../platform/values/dates.ts';
import { ee } from '../policy/ee.ts';
import { listReserved } from '../registry/names/lists.ts';
import { parseDomainName } from '../registry/names/name.ts';
import { importReserved, type Wanted } from '../registry/names/reserved.ts';
import { type Changing, changing, tell, withJson, withReason } from './changing.ts';
import { withDatabase } from './connect.ts';
import { csvLine, readCsvLine } from './csv.ts';
import { CommandError, print, printRows } from './output.ts';
import { withProgress } from './progress.ts';
import { type FilterOptions, readFilter, withFilters } from './reserved-filter.ts';

const MOST_COMPLAINTS = 20;

export const exportCommand = (): Command =>
  withJson(withFilters(new Command('export')))
    .description(
      'write reserved names as comma-separated values: name, expires_at and, where asked for, code',
    )
    .option('--codes', 'with the codes; whoever has the file can have the names')
    .action(({ codes, json, ...options }: FilterOptions & Changing & { codes?: boolean }) =>
      withDatabase(async ({ sql: db, now }) => {
        const rows = await listReserved(db, readFilter(options), now);
        if (json) {
          printRows(
            rows.map(({ name, code, expiresAt }) => ({ name, ...(codes && { code }), expiresAt })),
            json,
          );
          return;
        }
        const lines = rows.map(({ name, code, expiresAt }) => [
          ...(codes ? [name, code] : [name]),
          expiresAt?.toISOString() ?? '',
        ]);
        print(
          [codes ? ['name', 'code', 'expires_at'] : ['name', 'expires_at'], ...lines].map(csvLine).join('\n'),
        );
      }),
    );

export const importCommand = (): Command =>
  changing(withReason(new Command('import')))
    .argument('<file>', 'comma-separated values; its first line names the columns')
    .description(
      'reserve all names of a file, or none: columns name, code, expires_at, the last two may be empty',
    )
    .addHelpText(
      'after',
      '\nWithout a code a name gets a random one; without expires_at it is reserved for good.',
    )
    .action((file: string, options: Changing) =>
      withDatabase(async ({ sql: pool, now, change }) => {
        const wanted = readFile(file, now);
        const reserve = () => pool.begin((db) => importReserved(db, wanted, change(options.reason)));
        const outcome = await withProgress('reserving', reserve).catch((error: unknown) => {
          if (classifyDatabaseError(error) !== 'conflict') throw error;
          throw new CommandError(
            'Somebody took one of the names meanwhile; nothing was reserved. Try again.',
          );
        });
        if (!('reserved' in outcome)) return refuseFile(outcome.map(({ name, why }) => `${name} is ${why}.`));
        const { reserved, asBefore } = outcome;
        const before = asBefore > 0 ? `; ${asBefore} were before` : '';
        tell(options, `${reserved} names are reserved${before}.`, { reserved, asBefore });
      }, options),
    );

function readFile(file: string, now: Date): Wanted[] {
  const [head = '', ...lines] = textOf(file)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  const columns = readCsvLine(head) ?? [];
  if (!columns.includes('name') || columns.some((name) => !['name', 'code', 'expires_at'].includes(name)))
    throw new CommandError('The first line of the file must name its columns: name,code,expires_at');
  const complaints: string[] = [];
  const wanted = lines.flatMap((line, index): Wanted[] => {
    if (line.trim() === '') return [];
    const read = readLine(line, columns, now);
    if (typeof read !== 'string') return [read];
    complaints.push(`Line ${index + 2}: ${read}.`);
    return [];
  });
  const counts = Map.groupBy(wanted, ({ name }) => name);
  const twice = [...counts].filter(([, items]) => items.length > 1).map(([name]) => name);
  refuseFile([...complaints, ...twice.map((name) => `${name} is there twice.`)]);
  return wanted;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** What a line wants, or what is wrong with it. */
function readLine(line: string, columns: readonly string[], now: Date): Wanted | string {
  const fields = readCsvLine(line);
  if (fields?.length !== columns.length) return `it does not have ${columns.length} fields`;
  const field = (column: string) => fields[columns.indexOf(column)]?.trim() ?? '';
  const name = parseDomainName(field('name'), ee);
  if (!name) return `${field('name')} is no name of our zones`;
  const end = field('expires_at');
  const expiresAt = end === '' ? null : (parseMoment(end) ?? undefined);
  if (expiresAt === undefined) return `${end} is no time such as 2031-01-31T12:00:00Z`;
  if (expiresAt !== null && expiresAt <= now) return `${end} is over`;
  return { name: name.unicode, code: field('code') || undefined, expiresAt };
}

/** Every complaint at once, but not a thousand of them. */
function refuseFile(complaints: readonly string[]): void {
  if (complaints.length === 0) return;
  const shown = complaints.slice(0, MOST_COMPLAINTS);
  const more = complaints.length - shown.length;
  throw new CommandError(
    [...shown, ...(more > 0 ? [`… and ${more} more.`] : []), 'Nothing was reserved.'].join('\n'),
  );
}
