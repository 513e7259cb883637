import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import { moveBy, parseMoment } from '../platform/values/dates.ts';
import { policy } from '../policy/installed.ts';
import { parseDomainName } from '../registry/names/name.ts';
import {
  extendReserved,
  type Holder,
  importReserved,
  listReserved,
  type ReservedFilter,
  type ReservedNameInput,
  releaseName,
  reserveName,
} from '../registry/names/reserved-names.ts';
import { nameOf, startOfDayOption } from './terminal/arguments.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
  withReason,
} from './terminal/changing.ts';
import { csvLine, describeQuotation, readCsvLine } from './terminal/files.ts';
import { CommandError, print, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';

export function reservedCommand(): Command {
  const command = new Command('reserved').description('names reserved for the holder of their code');
  withJson(withFilters(command.command('list')))
    .description('reserved names, with who keeps them and until when; codes are not shown')
    .action(({ json, ...options }: FilterOptions & Changing) =>
      withDatabase(async ({ sql: db, now }) => {
        const rows = await listReserved(db, readFilter(options), now);
        printRows(
          rows.map(({ code: _code, ...row }) => row),
          json,
        );
      }),
    );
  changing(withReason(command.command('add <name>')))
    .description('reserve a name, for good unless --for is given; prints its code')
    .option('--for <duration>', 'how long, as an ISO 8601 duration such as P1Y')
    .option('--code <code>', 'a code of your choice (default: 32 random hex digits)')
    .addHelpText('after', '\nExample: cadastre reserved add ministeerium.ee --reason "kept for the ministry"')
    .action((text: string, options: Changing & { for?: string; code?: string }) =>
      withDatabase(async ({ sql: db, now, change }) => {
        const expiresAt =
          options.for === undefined ? null : (moveBy(now, options.for, policy.timeZone) ?? null);
        if (options.for !== undefined && (expiresAt === null || expiresAt <= now))
          throw new CommandError('--for is an ISO 8601 duration such as P1Y.');
        if (options.code === '')
          throw new CommandError('--code must not be empty: without a code nobody could have the name.');
        const [name, code] = [nameOf(text), options.code ?? randomBytes(16).toString('hex')];
        const reserved = await reserveName(db, { name, code, expiresAt }, change(options.reason)).catch(
          (error: unknown) => {
            if (classifyDatabaseError(error) === 'conflict') throw new CommandError(`${name} is registered.`);
            throw error;
          },
        );
        if (!reserved) throw new CommandError(`${name} is reserved already; release it first.`);
        printResult(
          options,
          `${name} is reserved ${expiresAt ? `until ${expiresAt.toISOString()}` : 'for good'}.`,
          { name, expiresAt },
          { said: ` Its code: ${code}`, shown: { code } },
        );
      }, options),
    );
  irreversible(withReason(command.command('release <name>')))
    .description('end a reservation')
    .action(async (text: string, options: Changing) => {
      const name = nameOf(text);
      await requireConfirmation(options, `${name} is free for anybody, and its code opens nothing any more.`);
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await releaseName(db, name, change(options.reason))))
          throw new CommandError(`${name} is not reserved.`);
        printResult(options, `${name} is free.`, { name, reserved: false });
      }, options);
    });
  changing(withReason(command.command('extend <name>')))
    .description('let a reservation end later')
    .requiredOption(
      '--for <duration>',
      'how much later than now planned, as an ISO 8601 duration such as P7D',
    )
    .action((text: string, options: Changing & { for: string }) =>
      withDatabase(async ({ sql: db, change }) => {
        const name = nameOf(text);
        const order = { name, duration: options.for };
        const extended = await extendReserved(db, order, policy, change(options.reason));
        if (extended === 'no duration') throw new CommandError('--for is an ISO 8601 duration such as P7D.');
        if (typeof extended === 'string')
          throw new CommandError(`${name} is ${extended === 'for good' ? 'reserved for good' : extended}.`);
        const { until: expiresAt } = extended;
        printResult(options, `${name} is reserved until ${expiresAt.toISOString()}.`, { name, expiresAt });
      }, options),
    );
  command.addCommand(importCommand());
  command.addCommand(exportCommand());
  return command;
}

const MAX_COMPLAINTS = 20;

const exportCommand = (): Command =>
  withJson(withFilters(new Command('export')))
    .description(
      'write reserved names as comma-separated values: name, expires_at and, where asked for, code',
    )
    .option('--codes', 'with the codes; the holder of the file can register the names')
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

const importCommand = (): Command =>
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
        if (!('reserved' in outcome))
          return requireReadableFile(outcome.map(({ name, reason }) => `${name} is ${reason}.`));
        const { reserved, asBefore } = outcome;
        const before = asBefore > 0 ? `; ${asBefore} were before` : '';
        printResult(options, `${reserved} names are reserved${before}.`, { reserved, asBefore });
      }, options),
    );

function readFile(file: string, now: Date): ReservedNameInput[] {
  const [head = '', ...lines] = textOf(file)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  const columns = readCsvLine(head);
  if (!columns) throw new CommandError(`Line 1: ${describeQuotation(head)}.`);
  if (!columns.includes('name') || columns.some((name) => !['name', 'code', 'expires_at'].includes(name)))
    throw new CommandError('The first line of the file must name its columns: name,code,expires_at');
  const complaints: string[] = [];
  const wanted = lines.flatMap((line, index): ReservedNameInput[] => {
    if (line.trim() === '') return [];
    const read = readLine(line, columns, now);
    if (typeof read !== 'string') return [read];
    complaints.push(`Line ${index + 2}: ${read}.`);
    return [];
  });
  const counts = Map.groupBy(wanted, ({ name }) => name);
  const twice = [...counts].filter(([, items]) => items.length > 1).map(([name]) => name);
  requireReadableFile([...complaints, ...twice.map((name) => `${name} is there twice.`)]);
  return wanted;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** The entry on a line, or an error message. */
function readLine(line: string, columns: readonly string[], now: Date): ReservedNameInput | string {
  const fields = readCsvLine(line);
  if (!fields) return describeQuotation(line);
  if (fields.length !== columns.length) return `it does not have ${columns.length} fields`;
  const field = (column: string) => fields[columns.indexOf(column)]?.trim() ?? '';
  const name = parseDomainName(field('name'), policy);
  if (!name) return `${field('name')} is no name of our zones`;
  const end = field('expires_at');
  const expiresAt = end === '' ? null : (parseMoment(end) ?? undefined);
  if (expiresAt === undefined) return `${end} is no time such as 2031-01-31T12:00:00Z`;
  if (expiresAt !== null && expiresAt <= now) return `${end} is over`;
  return { name: name.unicode, code: field('code') || undefined, expiresAt };
}

/** Reports all errors at once, up to a limit. */
function requireReadableFile(complaints: readonly string[]): void {
  if (complaints.length === 0) return;
  const shown = complaints.slice(0, MAX_COMPLAINTS);
  const more = complaints.length - shown.length;
  throw new CommandError(
    [...shown, ...(more > 0 ? [`… and ${more} more.`] : []), 'Nothing was reserved.'].join('\n'),
  );
}

export type FilterOptions = {
  readonly name?: string;
  readonly heldBy?: string;
  readonly endsBefore?: string;
  readonly forGood?: boolean;
};

const HOLDERS: readonly Holder[] = ['operator', 'portal'];

/** Filters common to listing and exporting reserved names. */
const withFilters = (command: Command): Command =>
  command
    .option('--name <part>', 'only names with this in them')
    .option('--held-by <whom>', `only names kept by one of ${HOLDERS.join(', ')}`)
    .option('--ends-before <day>', 'only reservations that end before this day, yyyy-mm-dd')
    .option('--for-good', 'only reservations that never end');

function readFilter({ name, heldBy, endsBefore, forGood }: FilterOptions): ReservedFilter {
  const holder = HOLDERS.find((known) => known === heldBy);
  if (heldBy !== undefined && !holder) throw new CommandError(`--held-by is one of ${HOLDERS.join(', ')}.`);
  const before = startOfDayOption('--ends-before', endsBefore);
  return { part: name?.normalize('NFC').toLowerCase(), heldBy: holder, before, forGood };
}
