import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { moveBy } from '../platform/dates.ts';
import { ee } from '../policy/ee.ts';
import type { Role } from '../registry/actor.ts';
import {
  changePassword,
  createUser,
  disableUser,
  dropOldPassword,
  listUsers,
  setRoles,
} from '../registry/users/users.ts';
import { type Workplace, withDatabase } from './connect.ts';
import { CommandError, print, printRows } from './output.ts';

const ROLES: readonly Role[] = ['super', 'epp', 'billing'];
const SHORTEST_PASSWORD = 12;

export function userCommand(): Command {
  const command = new Command('user').description('API users of registrars: passwords, roles, access');

  command
    .command('create <username>')
    .description('enter a new API user; prints a generated password once unless --password-stdin is given')
    .requiredOption('--registrar <code>', 'whom the user acts for')
    .option('--roles <list>', 'super, epp (all objects), billing (money only)', 'epp')
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', '\nExample: cadastre user create gamma --registrar GAMMA --roles epp,billing')
    .action(
      async (username: string, options: { registrar: string; roles: string; passwordStdin?: boolean }) => {
        if (!/^[A-Za-z0-9._@-]{1,64}$/.test(username))
          throw new CommandError('A username has 1 to 64 letters, digits and . _ @ -');
        const roles = parseRoles(options.roles);
        const password = await choosePassword(options.passwordStdin);
        await withDatabase(async ({ sql, change }) => {
          const outcome = await createUser(
            sql,
            { username, registrar: options.registrar, roles, password: password.value },
            change(),
          );
          if (outcome !== 'created') throw new CommandError(`User ${username} was not made: ${outcome}.`);
          print(`User ${username} may log in for ${options.registrar}.${password.told}`);
        });
      },
    );

  command
    .command('password <username>')
    .description('give a user a new password; the old one goes on working for a while')
    .option(
      '--keep-old <duration>',
      'how long the old one works, as an ISO 8601 duration; PT0S ends it at once',
      'P1D',
    )
    .option('--password-stdin', 'read the password from standard input')
    .action(async (username: string, options: { keepOld: string; passwordStdin?: boolean }) => {
      const password = await choosePassword(options.passwordStdin);
      await withUser(username, async ({ sql, now, change }) => {
        const until = moveBy(now, options.keepOld, ee.timeZone);
        if (!until || until < now)
          throw new CommandError('--keep-old must be an ISO 8601 duration such as P1D or PT2H.');
        const changed = await changePassword(
          sql,
          username,
          password.value,
          until > now ? until : undefined,
          change(),
        );
        if (changed)
          print(
            `User ${username} has a new password; the old one works until ${until.toISOString()}.${password.told}`,
          );
        return changed;
      });
    });

  command
    .command('drop-old-password <username>')
    .description('end the old password now')
    .action((username: string) =>
      withUser(
        username,
        ({ sql, change }) => dropOldPassword(sql, username, change()),
        'has one password now',
      ),
    );

  command
    .command('roles <username> <list>')
    .description('set the roles: super, epp, billing, separated by commas')
    .action((username: string, list: string) => {
      const roles = parseRoles(list);
      return withUser(
        username,
        ({ sql, change }) => setRoles(sql, username, roles, change()),
        `has the roles ${roles.join(', ')}`,
      );
    });

  for (const [verb, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    command
      .command(`${verb} <username>`)
      .description(
        disabled ? 'shut a user out, within seconds on every server' : 'let a disabled user in again',
      )
      .option('--reason <text>', 'kept in history')
      .action((username: string, { reason }: { reason?: string }) =>
        withUser(
          username,
          ({ sql, change }) => disableUser(sql, username, disabled, change(reason)),
          `is ${verb}d`,
        ),
      );
  }

  command
    .command('list')
    .description('API users of all registrars, or of one')
    .option('--registrar <code>', 'only his')
    .option('--json', 'for scripts')
    .action(({ registrar, json }: { registrar?: string; json?: boolean }) =>
      withDatabase(async ({ sql }) => printRows(await listUsers(sql, registrar), json)),
    );
  return command;
}

async function withUser(
  username: string,
  work: (workplace: Workplace) => Promise<boolean>,
  done?: string,
): Promise<void> {
  await withDatabase(async (workplace) => {
    if (!(await work(workplace))) throw new CommandError(`There is no user ${username}.`);
    if (done) print(`User ${username} ${done}.`);
  });
}

async function choosePassword(fromStdin: boolean | undefined): Promise<{ value: string; told: string }> {
  if (!fromStdin) {
    const value = randomBytes(18).toString('base64url');
    return { value, told: ` The password, shown this once: ${value}` };
  }
  const value = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (value.length < SHORTEST_PASSWORD || value.length > 200)
    throw new CommandError(`A password has ${SHORTEST_PASSWORD} to 200 characters.`);
  return { value, told: '' };
}

function parseRoles(list: string): Role[] {
  const roles = list.split(',').map((item) => item.trim());
  const unknown = roles.find((role) => !ROLES.some((known) => known === role));
  if (unknown !== undefined)
    throw new CommandError(`"${unknown}" is no role; there are ${ROLES.join(', ')}.`);
  return ROLES.filter((role) => roles.includes(role));
}
