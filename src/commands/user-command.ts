import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import { moveBy } from '../platform/values/dates.ts';
import { policy } from '../policy/installed.ts';
import type { Role } from '../registry/actor.ts';
import { createUser } from '../registry/users/create-user.ts';
import { disableUser } from '../registry/users/disable-user.ts';
import { dropOldPassword } from '../registry/users/drop-old-password.ts';
import { generatePassword } from '../registry/users/generate-password.ts';
import { listUsers } from '../registry/users/list-users.ts';
import { replacePassword } from '../registry/users/replace-password.ts';
import { setUserRoles } from '../registry/users/set-user-roles.ts';
import { USER_ROLES } from '../registry/users/user-rules.ts';
import {
  type Changing,
  type CreatedSecret,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating, withOperator } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

/** A zero duration. */
const ZERO_DURATION = /^P[^1-9]*$/i;

export function userCommand(): Command {
  const command = new Command('user').description('API users of registrars: passwords, roles, access');

  changing(operating(command.command('create <username>'), createUser))
    .description('enter a new API user; prints a generated password once unless --password-stdin is given')
    .requiredOption('--registrar <code>', 'whom the user acts for')
    .option('--roles <list>', 'super, epp (all objects), billing (money only)', 'epp')
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', '\nExample: cadastre user create gamma --registrar GAMMA --roles epp,billing')
    .action(create);

  irreversible(operating(command.command('password <username>'), replacePassword))
    .description('give a user a new password; the old one goes on working for a while')
    .option(
      '--keep-old <duration>',
      'how long the old one works, as an ISO 8601 duration; PT0S ends it at once',
      'P1D',
    )
    .option('--password-stdin', 'read the password from standard input')
    .action(changePassword);

  irreversible(operating(command.command('drop-old-password <username>'), dropOldPassword))
    .description('end the old password now')
    .action(async (username: string, options: Operating) => {
      await requireConfirmation(options, `The old password of ${username} ends at once.`);
      await operate(dropOldPassword, { username }, options);
      printResult(options, `User ${username} has one password now.`, { username, oldPasswordUntil: null });
    });

  changing(operating(command.command('roles <username> <list>'), setUserRoles))
    .description('set the roles: super, epp, billing, separated by commas')
    .action(async (username: string, list: string, options: Operating) => {
      const roles = parseRoles(list);
      await operate(setUserRoles, { username, roles }, options);
      printResult(options, `User ${username} has the roles ${roles.join(', ')}.`, { username, roles });
    });

  for (const [verb, isDisabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    changing(operating(command.command(`${verb} <username>`), disableUser))
      .description(
        isDisabled ? 'shut a user out, within seconds on every server' : 'let a disabled user in again',
      )
      .action(async (username: string, options: Operating) => {
        await operate(disableUser, { username, isDisabled }, options);
        const status = isDisabled ? 'disabled' : 'active';
        printResult(options, `User ${username} is ${verb}d.`, { username, status });
      });
  }

  withJson(command.command('list'))
    .description('API users of all registrars, or of one')
    .option('--registrar <code>', 'only those of this registrar')
    .action(({ registrar, json }: Changing & { registrar?: string }) =>
      withDatabase(async ({ sql: db }) => printRows(await listUsers(db, registrar), json)),
    );
  return command;
}

type WithPassword = Operating & { readonly passwordStdin?: boolean };

async function create(
  username: string,
  options: WithPassword & { readonly registrar: string; readonly roles: string },
): Promise<void> {
  const { registrar } = options;
  const roles = parseRoles(options.roles);
  const password = await choosePassword(options.passwordStdin);
  await operate(createUser, { username, registrar, roles, password: password.value }, options);
  const sentence = `User ${username} may log in for ${registrar}.`;
  printResult(options, sentence, { username, registrar, roles }, password);
}

async function changePassword(
  username: string,
  options: WithPassword & { readonly keepOld: string },
): Promise<void> {
  const { keepOld } = options;
  if (ZERO_DURATION.test(keepOld))
    await requireConfirmation(options, `The old password of ${username} ends at once.`);
  const password = await choosePassword(options.passwordStdin);
  await withOperator(options, async ({ run, now }) => {
    const until = moveBy(now, keepOld, policy.timeZone);
    if (!until || until < now)
      throw new CommandError('--keep-old must be an ISO 8601 duration such as P1D or PT2H.');
    const oldUntil = until > now ? until : undefined;
    await run(replacePassword, { username, password: password.value, oldUntil });
    const sentence = `User ${username} has a new password; the old one works until ${until.toISOString()}.`;
    printResult(options, sentence, { username, oldPasswordUntil: until }, password);
  });
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
  return { value, said: '', shown: {} };
}

function parseRoles(list: string): Role[] {
  const roles = list.split(',').map((item) => item.trim());
  const unknown = roles.find((role) => !USER_ROLES.some((known) => known === role));
  if (unknown !== undefined)
    throw new CommandError(`"${unknown}" is no role; there are ${USER_ROLES.join(', ')}.`);
  return USER_ROLES.filter((role) => roles.includes(role));
}
