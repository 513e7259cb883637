import { Command } from 'commander';
import { wallClock } from '../platform/clock/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { Origin } from '../platform/config/origin.ts';
import { authenticatorKeys } from '../registry/people/authenticator-secrets.ts';
import { disablePerson } from '../registry/people/disable-person.ts';
import { enablePerson } from '../registry/people/enable-person.ts';
import { encryptSecrets } from '../registry/people/encrypt-secrets.ts';
import { invitePerson } from '../registry/people/invite-person.ts';
import { listPeople } from '../registry/people/list-people.ts';
import { PERSON_ROLES, type PersonLanguage, type PersonRole } from '../registry/people/person.ts';
import { removePerson } from '../registry/people/remove-person.ts';
import { resetFactors } from '../registry/people/reset-factors.ts';
import { setPersonRoles } from '../registry/people/set-person-roles.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating, withOperator } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

type Inviting = Operating & { registrar: string; role: string[]; name?: string; language: string };
type OfRegistrar = Operating & { registrar: string };

export function personCommand(): Command {
  const command = new Command('person').description(
    "people who work for registrars in the registrars' console: invitations, access, lost second factors",
  );

  changing(operating(command.command('invite <email>'), invitePerson))
    .description('mail somebody an invitation to work for a registrar; it is valid for 48 hours')
    .requiredOption('--registrar <code>', 'whom the person will work for')
    .requiredOption('--role <role...>', `one or more of ${PERSON_ROLES.join(', ')}`)
    .option('--name <name>', 'as the person is called; it can be changed when accepting')
    .option('--language <language>', 'of the mail and the console: en or et', 'et')
    .addHelpText(
      'after',
      '\nExample: cadastre person invite anna@gamma.example --registrar GAMMA --role admin --name "Anna Gamma"',
    )
    .action(invite);

  withJson(command.command('list'))
    .description('people and open invitations of all registrars, or of one')
    .option('--registrar <code>', 'only those of this registrar')
    .action(({ registrar, json }: Changing & { registrar?: string }) =>
      withDatabase(async ({ sql: db }) => printRows(await listPeople(db, registrar, wallClock.now()), json)),
    );

  changing(operating(command.command('disable <email>'), disablePerson))
    .description('shut a person out at once, for all registrars; open invitations are withdrawn')
    .action(async (email: string, options: Operating) => {
      await operate(disablePerson, { email, wallTime: wallClock.now() }, options);
      printResult(options, `${email} is disabled.`, { email, status: 'disabled' });
    });

  changing(operating(command.command('enable <email>'), enablePerson))
    .description('let a disabled person in again')
    .action(async (email: string, options: Operating) => {
      await operate(enablePerson, { email, wallTime: wallClock.now() }, options);
      printResult(options, `${email} is enabled.`, { email, status: 'active' });
    });

  changing(operating(command.command('roles <email> <registrar> <role...>'), setPersonRoles))
    .description(`set what a person may do for a registrar: one or more of ${PERSON_ROLES.join(', ')}`)
    .addHelpText('after', '\nExample: cadastre person roles karl@gamma.example GAMMA domains billing')
    .action(setRoles);

  changing(operating(command.command('remove <email>'), removePerson))
    .description('end what a person does for a registrar, or withdraw the invitation to it')
    .requiredOption('--registrar <code>', 'whom the person works for, or is invited by')
    .action(remove);

  irreversible(operating(command.command('reset <email>'), resetFactors))
    .description(
      'forget a lost second factor: app, passkeys, recovery codes and identity; sessions end, the password stays',
    )
    .action(async (email: string, options: Operating) => {
      await requireConfirmation(
        options,
        `The second factor of ${email} is forgotten, and anyone who knows the password can set up another one.`,
      );
      await operate(resetFactors, { email, wallTime: wallClock.now() }, options);
      printResult(options, `${email} sets up a second factor at the next login.`, { email, reset: true });
    });

  changing(operating(command.command('encrypt'), encryptSecrets))
    .description(
      'encrypt secrets of authenticator apps that are in clear text, or encrypted with CONSOLE_SECRET_PREVIOUS',
    )
    .action(encrypt);
  return command;
}

const encrypt = (options: Operating): Promise<void> =>
  withOperator(options, async ({ run, kind }) => {
    const { current, previous } = authenticatorKeys(readConfig(kind));
    if (!current) throw new CommandError('CONSOLE_SECRET is not set.');
    const { encrypted } = await run(encryptSecrets, { keys: { current, previous } });
    printResult(options, `Secrets of authenticator apps that were encrypted: ${encrypted}.`, { encrypted });
  });

async function invite(given: string, options: Inviting): Promise<void> {
  const invitation = {
    email: given,
    name: options.name,
    language: parseLanguage(options.language),
    registrar: options.registrar,
    roles: parseRoles(options.role),
    publicUrl: new Origin(readConfig('production')).urlForPeople,
    wallTime: wallClock.now(),
  };
  const invited = await operate(invitePerson, invitation, options);
  const { email, registrar, expiresAt } = invited;
  const sentence = `${email} is invited to work for ${registrar}, and can accept until ${expiresAt.toISOString()}.`;
  printResult(options, sentence, invited);
}

async function setRoles(
  email: string,
  registrar: string,
  given: readonly string[],
  options: Operating,
): Promise<void> {
  const roles = parseRoles(given);
  await operate(setPersonRoles, { email, registrar, roles }, options);
  const sentence = `${email} has the roles ${roles.join(', ')} at ${registrar}.`;
  printResult(options, sentence, { email, registrar, roles });
}

async function remove(email: string, options: OfRegistrar): Promise<void> {
  const { registrar } = options;
  const { was } = await operate(removePerson, { email, registrar, wallTime: wallClock.now() }, options);
  const sentence =
    was === 'member'
      ? `${email} does not work for ${registrar} any more.`
      : `The invitation of ${email} is withdrawn.`;
  printResult(options, sentence, { email, registrar, removed: true });
}

function parseRoles(given: readonly string[]): PersonRole[] {
  const unknown = given.find((role) => !PERSON_ROLES.some((known) => known === role));
  if (unknown !== undefined)
    throw new CommandError(`"${unknown}" is no role; there are ${PERSON_ROLES.join(', ')}.`);
  return PERSON_ROLES.filter((role) => given.includes(role));
}

function parseLanguage(text: string): PersonLanguage {
  if (text !== 'en' && text !== 'et') throw new CommandError('--language is en or et.');
  return text;
}
