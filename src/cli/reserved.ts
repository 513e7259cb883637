import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { databaseTrouble } from '../platform/database/errors.ts';
import { moveBy } from '../platform/dates.ts';
import { ee } from '../policy/ee.ts';
import {
  blockName,
  listBlocked,
  listReserved,
  releaseName,
  reserveName,
  unblockName,
} from '../registry/names/lists.ts';
import { withDatabase } from './connect.ts';
import { nameOf } from './names.ts';
import { CommandError, print, printRows } from './output.ts';

export function reservedCommand(): Command {
  const command = new Command('reserved').description('names kept for whoever has their code');
  command
    .command('list')
    .description('all reserved names; codes are not shown')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listReserved(sql), json)),
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
  return command;
}

export function blockedCommand(): Command {
  const command = new Command('blocked').description('names that nobody gets');
  command
    .command('list')
    .description('all blocked names')
    .option('--json', 'for scripts')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listBlocked(sql), json)),
    );
  for (const [verb, about, act, done, missing] of [
    [
      'add',
      'block a name; one that is registered stays registered',
      (...args: Parameters<typeof blockName>) => blockName(...args).then(() => true),
      'blocked',
      '',
    ],
    ['remove', 'unblock a name', unblockName, 'not blocked any more', 'not blocked'],
  ] as const) {
    command
      .command(`${verb} <name>`)
      .description(about)
      .option('--reason <text>', 'kept in history')
      .action((text: string, { reason }: { reason?: string }) =>
        withDatabase(async ({ sql, change }) => {
          const name = nameOf(text);
          if (!(await act(sql, name, change(reason)))) throw new CommandError(`${name} is ${missing}.`);
          print(`${name} is ${done}.`);
        }),
      );
  }
  return command;
}
