import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { databaseTrouble } from '../platform/database/errors.ts';
import { moveBy } from '../platform/dates.ts';
import { ee } from '../policy/ee.ts';
import { listReserved, releaseName, reserveName } from '../registry/names/lists.ts';
import { extendReserved } from '../registry/names/reserved.ts';
import { withDatabase } from './connect.ts';
import { nameOf } from './names.ts';
import { CommandError, print, printRows } from './output.ts';
import { exportCommand, importCommand } from './reserved-files.ts';
import { type FilterOptions, readFilter, withFilters } from './reserved-filter.ts';

export function reservedCommand(): Command {
  const command = new Command('reserved').description('names kept for whoever has their code');
  withFilters(command.command('list'))
    .description('reserved names, with who keeps them and until when; codes are not shown')
    .option('--json', 'for scripts')
    .action(({ json, ...options }: FilterOptions & { json?: boolean }) =>
      withDatabase(async ({ sql, now }) => {
        const rows = await listReserved(sql, readFilter(options), now);
        printRows(
          rows.map(({ code: _code, ...row }) => row),
          json,
        );
      }),
    );
  command
    .command('add <name>')
    .description('reserve a name, for good unless --for is given; prints its code')
    .option('--for <duration>', 'how long, as an ISO 8601 duration such as P1Y')
    .option('--code <code>', 'a code of your choice (default: 32 random hex digits)')
    .option('--reason <text>', 'kept in history')
    .addHelpText('after', '\nExample: cadastre reserved add ministeerium.ee --reason "kept for the ministry"')
    .action((text: string, options: { for?: string; code?: string; reason?: string }) =>
      withDatabase(async ({ sql, now, change }) => {
        const expiresAt = options.for === undefined ? null : (moveBy(now, options.for, ee.timeZone) ?? null);
        if (options.for !== undefined && (expiresAt === null || expiresAt <= now))
          throw new CommandError('--for is an ISO 8601 duration such as P1Y.');
        if (options.code === '')
          throw new CommandError('--code must not be empty: without a code nobody could have the name.');
        const [name, code] = [nameOf(text), options.code ?? randomBytes(16).toString('hex')];
        const reserved = await reserveName(sql, { name, code, expiresAt }, change(options.reason)).catch(
          (error: unknown) => {
            if (databaseTrouble(error) === 'lost-race') throw new CommandError(`${name} is registered.`);
            throw error;
          },
        );
        if (!reserved) throw new CommandError(`${name} is reserved already; release it first.`);
        print(
          `${name} is reserved ${expiresAt ? `until ${expiresAt.toISOString()}` : 'for good'}. Its code: ${code}`,
        );
      }),
    );
  command
    .command('release <name>')
    .description('end a reservation')
    .option('--reason <text>', 'kept in history')
    .action((text: string, { reason }: { reason?: string }) =>
      withDatabase(async ({ sql, change }) => {
        const name = nameOf(text);
        if (!(await releaseName(sql, name, change(reason))))
          throw new CommandError(`${name} is not reserved.`);
        print(`${name} is free.`);
      }),
    );
  command
    .command('extend <name>')
    .description('let a reservation end later')
    .requiredOption(
      '--for <duration>',
      'how much later than now planned, as an ISO 8601 duration such as P7D',
    )
    .option('--reason <text>', 'kept in history')
    .action((text: string, options: { for: string; reason?: string }) =>
      withDatabase(async ({ sql, change }) => {
        const name = nameOf(text);
        const order = { name, duration: options.for };
        const extended = await extendReserved(sql, order, ee, change(options.reason));
        if (extended === 'no duration') throw new CommandError('--for is an ISO 8601 duration such as P7D.');
        if (typeof extended === 'string')
          throw new CommandError(`${name} is ${extended === 'for good' ? 'reserved for good' : extended}.`);
        print(`${name} is reserved until ${extended.until.toISOString()}.`);
      }),
    );
  command.addCommand(importCommand());
  command.addCommand(exportCommand());
  return command;
}
