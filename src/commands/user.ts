import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { type CommandContext, withDatabase } from '../app/with-database.ts';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import { moveBy } from '../platform/values/dates.ts';
import { policy } from '../policy/installed.ts';
import type { Role } from '../registry/actor.ts';
import {
  isPasswordLength,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '../registry/users/password-length.ts';
import {
  changePassword,
  createUser,
  disableUser,
  dropOldPassword,
  generatePassword,
  isUsername,
  listUsers,
  setRoles,
  USER_ROLES,
} from '../registry/users/users.ts';
import {
  type Changing,
  type CreatedSecret,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
  withReason,
} from './terminal/changing.ts';
import { CommandError, printRows, type Row } from './terminal/output.ts';

/** A zero duration. */
const ZERO_DURATION = /^P[^1-9]*$/i;

export function userCommand(): Command {
  const command = new Command('user').description('API users of registrars: passwords, roles, access');

  changing(withReason(command.command('create <username>')))
    .description('enter a new API user; prints a generated password once unless --password-stdin is given')
    .requiredOption('--registrar <code>', 'whom the user acts for')
    .option('--roles <list>', 'super, epp (all objects), billing (money only)', 'epp')
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', '\nExample: cadastre user create gamma --registrar GAMMA --roles epp,billing')
    .action(
      async (
        username: string,
        options: Changing & { registrar: string; roles: string; passwordStdin?: boolean },
      ) => {
        if (!isUsername(username))
          throw new CommandError('A username has 1 to 64 letters, digits and . _ @ -');
        const roles = parseRoles(options.roles);
        const password = await choosePassword(options.passwordStdin);
        await withDatabase(async ({ sql: db, change }) => {
          const outcome = await createUser(
            db,
            { username, registrar: options.registrar, roles, password: password.value },
            change(options.reason),
          );
          if (outcome !== 'created') throw new CommandError(`User ${username} was not made: ${outcome}.`);
          const data = { username, registrar: options.registrar, roles };
          printResult(options, `User ${username} may log in for ${options.registrar}.`, data, password);
        }, options);
      },
    );

  irreversible(withReason(command.command('password <username>')))
    .description('give a user a new password; the old one goes on working for a while')
    .option(
      '--keep-old <duration>',
      'how long the old one works, as an ISO 8601 duration; PT0S ends it at once',
      'P1D',
    )
    .option('--password-stdin', 'read the password from standard input')
    .action(async (username: string, options: Changing & { keepOld: string; passwordStdin?: boolean }) => {
      if (ZERO_DURATION.test(options.keepOld))
        await requireConfirmation(options, `The old password of ${username} ends at once.`);
      const password = await choosePassword(options.passwordStdin);
      await withUser(username, options, async ({ sql: db, now, change }) => {
        const until = moveBy(now, options.keepOld, policy.timeZone);
        if (!until || until < now)
          throw new CommandError('--keep-old must be an ISO 8601 duration such as P1D or PT2H.');
        const changed = await changePassword(
          db,
          username,
          password.value,
          until > now ? until : undefined,
          change(options.reason),
        );
        return (
          changed && {
            done: `has a new password; the old one works until ${until.toISOString()}.`,
            data: { oldPasswordUntil: until },
            secret: password,
          }
        );
      });
    });

  irreversible(withReason(command.command('drop-old-password <username>')))
    .description('end the old password now')
    .action(async (username: string, options: Changing) => {
      await requireConfirmation(options, `The old password of ${username} ends at once.`);
      await withUser(
        username,
        options,
        async ({ sql: db, change }) =>
          (await dropOldPassword(db, username, change(options.reason))) && {
            done: 'has one password now.',
            data: { oldPasswordUntil: null },
          },
      );
    });

  changing(withReason(command.command('roles <username> <list>')))
    .description('set the roles: super, epp, billing, separated by commas')
    .action((username: string, list: string, options: Changing) => {
      const roles = parseRoles(list);
      return withUser(
        username,
        options,
        async ({ sql: db, change }) =>
          (await setRoles(db, username, roles, change(options.reason))) && {
            done: `has the roles ${roles.join(', ')}.`,
            data: { roles },
          },
      );
    });

  for (const [verb, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    changing(withReason(command.command(`${verb} <username>`)))
      .description(
        disabled ? 'shut a user out, within seconds on every server' : 'let a disabled user in again',
      )
      .action((username: string, options: Changing) =>
        withUser(
          username,
          options,
          async ({ sql: db, change }) =>
            (await disableUser(db, username, disabled, change(options.reason))) && {
              done: `is ${verb}d.`,
              data: { status: disabled ? 'disabled' : 'active' },
            },
        ),
      );
  }

  withJson(command.command('list'))
    .description('API users of all registrars, or of one')
    .option('--registrar <code>', 'only those of this registrar')
    .action(({ registrar, json }: Changing & { registrar?: string }) =>
      withDatabase(async ({ sql: db }) => printRows(await listUsers(db, registrar), json)),
    );
  return command;
}

type Done = { readonly done: string; readonly data: Row; readonly secret?: CreatedSecret };

async function withUser(
  username: string,
  options: Changing,
  work: (workplace: CommandContext) => Promise<false | Done>,
): Promise<void> {
  await withDatabase(async (workplace) => {
    const outcome = await work(workplace);
    if (!outcome) throw new CommandError(`There is no user ${username}.`);
    printResult(options, `User ${username} ${outcome.done}`, { username, ...outcome.data }, outcome.secret);
  }, options);
}

/** A generated password is shown once. */
async function choosePassword(
  fromStdin: boolean | undefined,
): Promise<CreatedSecret & { readonly value: string }> {
  if (!fromStdin) {
    const value = generatePassword();
    return { value, said: ` The password, shown this once: ${value}`, shown: { password: value } };
  }
  const value = (await text(commandEnvironment().stdin)).replace(/\r?\n$/, '');
  if (!isPasswordLength(value))
    throw new CommandError(`A password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`);
  return { value, said: '', shown: {} };
}

function parseRoles(list: string): Role[] {
  const roles = list.split(',').map((item) => item.trim());
  const unknown = roles.find((role) => !USER_ROLES.some((known) => known === role));
  if (unknown !== undefined)
    throw new CommandError(`"${unknown}" is no role; there are ${USER_ROLES.join(', ')}.`);
  return USER_ROLES.filter((role) => roles.includes(role));
}
