import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parseMoment } from '../platform/values/dates.ts';
import { policy } from '../policy/installed.ts';
import { extendReservation } from '../registry/names/extend-reservation.ts';
import { type ImportedName, importReserved } from '../registry/names/import-reserved.ts';
import { type Holder, listReserved, type ReservedFilter } from '../registry/names/list-reserved.ts';
import { parseDomainName } from '../registry/names/name.ts';
import { releaseName } from '../registry/names/release-name.ts';
import { reserveName } from '../registry/names/reserve-name.ts';
import { nameOf, startOfDayOption } from './terminal/arguments.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { csvLine, describeQuotation, readCsvLine } from './terminal/files.ts';
import { type Operating, operate, operating, withOperator } from './terminal/operate.ts';
import { CommandError, print, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { withDatabase } from './terminal/with-database.ts';

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
  changing(operating(command.command('add <name>'), reserveName))
    .description('reserve a name, for good unless --for is given; prints its code')
    .option('--for <duration>', 'how long, as an ISO 8601 duration such as P1Y')
    .option('--code <code>', 'a code of your choice (default: 32 random hex digits)')
    .addHelpText('after', '\nExample: cadastre reserved add ministeerium.ee --reason "kept for the ministry"')
    .action(async (text: string, options: Operating & { for?: string; code?: string }) => {
      const wanted = { name: nameOf(text), duration: options.for, code: options.code };
      const { name, code, expiresAt } = await operate(reserveName, wanted, options);
      printResult(
        options,
        `${name} is reserved ${expiresAt ? `until ${expiresAt.toISOString()}` : 'for good'}.`,
        { name, expiresAt },
        { said: ` Its code: ${code}`, shown: { code } },
      );
    });
  irreversible(operating(command.command('release <name>'), releaseName))
    .description('end a reservation')
    .action(async (text: string, options: Operating) => {
      const name = nameOf(text);
      await requireConfirmation(options, `${name} is free for anybody, and its code opens nothing any more.`);
      await operate(releaseName, { name }, options);
      printResult(options, `${name} is free.`, { name, reserved: false });
    });
  changing(operating(command.command('extend <name>'), extendReservation))
    .description('let a reservation end later')
    .requiredOption(
      '--for <duration>',
      'how much later than now planned, as an ISO 8601 duration such as P7D',
    )
    .action(async (text: string, options: Operating & { for: string }) => {
      const extension = { name: nameOf(text), duration: options.for };
      const { name, expiresAt } = await operate(extendReservation, extension, options);
      printResult(options, `${name} is reserved until ${expiresAt.toISOString()}.`, { name, expiresAt });
    });
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
  changing(operating(new Command('import'), importReserved))
    .argument('<file>', 'comma-separated values; its first line names the columns')
    .description(
      'reserve all names of a file, or none: columns name, code, expires_at, the last two may be empty',
    )
    .addHelpText(
      'after',
      '\nWithout a code a name gets a random one; without expires_at it is reserved for good.',
    )
    .action((file: string, options: Operating) =>
      withOperator(options, async ({ run, now }) => {
        const wanted = readFile(file, now);
        const { reserved, asBefore } = await withProgress('reserving', () =>
          run(importReserved, wanted),
        ).catch((error: unknown) => {
          if (error instanceof CommandError) requireReadableFile(error.message.split('\n'));
          throw error;
        });
        const before = asBefore > 0 ? `; ${asBefore} were before` : '';
        printResult(options, `${reserved} names are reserved${before}.`, { reserved, asBefore });
      }),
    );

function readFile(file: string, now: Date): ImportedName[] {
  const [head = '', ...lines] = textOf(file)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  const columns = readCsvLine(head);
  if (!columns) throw new CommandError(`Line 1: ${describeQuotation(head)}.`);
  if (!columns.includes('name') || columns.some((name) => !['name', 'code', 'expires_at'].includes(name)))
    throw new CommandError('The first line of the file must name its columns: name,code,expires_at');
  const complaints: string[] = [];
  const wanted = lines.flatMap((line, index): ImportedName[] => {
    if (line.trim() === '') return [];
    const read = readLine(line, columns, now);
    if (typeof read !== 'string') return [read];
    complaints.push(`Line ${index + 2}: ${read}.`);
    return [];
  });
  requireReadableFile(complaints);
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
function readLine(line: string, columns: readonly string[], now: Date): ImportedName | string {
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
