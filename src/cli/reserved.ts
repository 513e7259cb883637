import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import { moveBy } from '../platform/values/dates.ts';
import { ee } from '../policy/ee.ts';
import { listReserved, releaseName, reserveName } from '../registry/names/lists.ts';
import { extendReserved } from '../registry/names/reserved.ts';
import { type Changing, changing, confirmed, irreversible, tell, withJson, withReason } from './changing.ts';
import { withDatabase } from './connect.ts';
import { nameOf } from './names.ts';
import { CommandError, printRows } from './output.ts';
import { exportCommand, importCommand } from './reserved-files.ts';
import { type FilterOptions, readFilter, withFilters } from './reserved-filter.ts';

export function reservedCommand(): Command {
  const command = new Command('reserved').description('names kept for whoever has their code');
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
        const expiresAt = options.for === undefined ? null : (moveBy(now, options.for, ee.timeZone) ?? null);
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
        tell(
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
      await confirmed(options, `${name} is free for anybody, and its code opens nothing any more.`);
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await releaseName(db, name, change(options.reason))))
          throw new CommandError(`${name} is not reserved.`);
        tell(options, `${name} is free.`, { name, reserved: false });
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
        const extended = await extendReserved(db, order, ee, change(options.reason));
        if (extended === 'no duration') throw new CommandError('--for is an ISO 8601 duration such as P7D.');
        if (typeof extended === 'string')
          throw new CommandError(`${name} is ${extended === 'for good' ? 'reserved for good' : extended}.`);
        const { until: expiresAt } = extended;
        tell(options, `${name} is reserved until ${expiresAt.toISOString()}.`, { name, expiresAt });
      }, options),
    );
  command.addCommand(importCommand());
  command.addCommand(exportCommand());
  return command;
}
