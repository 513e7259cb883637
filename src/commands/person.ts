import { Command } from 'commander';
import { Origin } from '../app/origin.ts';
import { withDatabase } from '../app/with-database.ts';
import { wallClock } from '../platform/clock/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { policy } from '../policy/installed.ts';
import { authenticatorKeys } from '../registry/people/authenticator-secrets.ts';
import { encryptSecrets } from '../registry/people/encrypt-secrets.ts';
import { invitePerson } from '../registry/people/invitations.ts';
import { listPeople } from '../registry/people/list-people.ts';
import { removeMembership, setPersonRoles } from '../registry/people/memberships.ts';
import { PERSON_ROLES, type PersonLanguage, type PersonRole } from '../registry/people/person.ts';
import { disablePerson, enablePerson } from '../registry/people/person-access.ts';
import { parsePersonEmail } from '../registry/people/person-email.ts';
import { parsePersonName } from '../registry/people/person-name.ts';
import { resetFactors } from '../registry/people/reset-factors.ts';
import { withdrawInvitation } from '../registry/people/withdraw-invitation.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
  withReason,
} from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';

type Inviting = Changing & { registrar: string; role: string[]; name?: string; language: string };
type OfRegistrar = Changing & { registrar: string };

export function personCommand(): Command {
  const command = new Command('person').description(
    "people who work for registrars in the registrars' console: invitations, access, lost second factors",
  );

  changing(withReason(command.command('invite <email>')))
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

  changing(withReason(command.command('disable <email>')))
    .description('shut a person out at once, for all registrars; open invitations are withdrawn')
    .action((email: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        const outcome = await disablePerson(db, email, change(options.reason), wallClock.now());
        if (outcome === 'last administrator') throw new CommandError(lastAdministrator(email));
        if (outcome === 'unknown') throw new CommandError(`There is no active person ${email}.`);
        printResult(options, `${email} is disabled.`, { email, status: 'disabled' });
      }, options),
    );

  changing(withReason(command.command('enable <email>')))
    .description('let a disabled person in again')
    .action((email: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        if (!(await enablePerson(db, email, change(options.reason), wallClock.now())))
          throw new CommandError(
            `There is no disabled person ${email} who works for a registrar. One who works for none is invited again.`,
          );
        printResult(options, `${email} is enabled.`, { email, status: 'active' });
      }, options),
    );

  changing(withReason(command.command('roles <email> <registrar> <role...>')))
    .description(`set what a person may do for a registrar: one or more of ${PERSON_ROLES.join(', ')}`)
    .addHelpText('after', '\nExample: cadastre person roles karl@gamma.example GAMMA domains billing')
    .action(setRoles);

  changing(withReason(command.command('remove <email>')))
    .description('end what a person does for a registrar, or withdraw the invitation to it')
    .requiredOption('--registrar <code>', 'whom the person works for, or is invited by')
    .action(remove);

  irreversible(withReason(command.command('reset <email>')))
    .description(
      'forget a lost second factor: app, passkeys, recovery codes and identity; sessions end, the password stays',
    )
    .action(async (email: string, options: Changing) => {
      await requireConfirmation(
        options,
        `The second factor of ${email} is forgotten, and anyone who knows the password can set up another one.`,
      );
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await resetFactors(db, email, change(options.reason), wallClock.now())))
          throw new CommandError(`There is no person ${email}.`);
        printResult(options, `${email} sets up a second factor at the next login.`, { email, reset: true });
      }, options);
    });

  changing(command.command('encrypt'))
    .description(
      'encrypt secrets of authenticator apps that are in clear text, or encrypted with CONSOLE_SECRET_PREVIOUS',
    )
    .action(encrypt);
  return command;
}

const encrypt = (options: Changing): Promise<void> =>
  withDatabase(async ({ sql: db, kind }) => {
    const { current, previous } = authenticatorKeys(readConfig(kind));
    if (!current) throw new CommandError('CONSOLE_SECRET is not set.');
    const encrypted = await encryptSecrets(db, { current, previous });
    printResult(options, `Secrets of authenticator apps that were encrypted: ${encrypted}.`, { encrypted });
  }, options);

async function invite(text: string, options: Inviting): Promise<void> {
  const email = parsePersonEmail(text, policy);
  if (email === undefined) throw new CommandError(`${text} is no email address.`);
  const name = parsePersonName(options.name ?? email);
  if (name === undefined) throw new CommandError('--name has 1 to 100 visible characters.');
  const { registrar } = options;
  const [roles, language] = [parseRoles(options.role), parseLanguage(options.language)];
  await withDatabase(async ({ sql: db, change }) => {
    const outcome = await invitePerson(
      db,
      { email, name, language, registrar, roles },
      change(options.reason),
      { now: wallClock.now(), publicUrl: new Origin(readConfig('production')).urlForPeople, policy },
    );
    if (outcome === 'unknown registrar') throw new CommandError(`There is no registrar ${registrar}.`);
    if (outcome === 'member') throw new CommandError(`${email} works for ${registrar} already.`);
    if (outcome === 'disabled')
      throw new CommandError(
        `${email} is disabled; enable the person before: cadastre person enable ${email}`,
      );
    if (outcome === 'too many')
      throw new CommandError(`${registrar} has invited too many people today; try again tomorrow.`);
    const { expiresAt } = outcome;
    const sentence = `${email} is invited to work for ${registrar}, and can accept until ${expiresAt.toISOString()}.`;
    printResult(options, sentence, { email, name, registrar, roles, language, expiresAt });
  }, options);
}

async function setRoles(
  email: string,
  registrar: string,
  given: readonly string[],
  options: Changing,
): Promise<void> {
  const roles = parseRoles(given);
  await withDatabase(async ({ sql: db, change }) => {
    const outcome = await setPersonRoles(db, { email, registrar }, roles, change(options.reason));
    if (outcome === 'last administrator') throw new CommandError(lastAdministrator(email));
    if (outcome === 'unknown') throw new CommandError(`${email} does not work for ${registrar}.`);
    const sentence = `${email} has the roles ${roles.join(', ')} at ${registrar}.`;
    printResult(options, sentence, { email, registrar, roles });
  }, options);
}

/** Who is to be shut out all the same needs a successor first, or the registrar is suspended. */
const lastAdministrator = (email: string): string =>
  `${email} is the last administrator of a registrar. Make somebody else one before: cadastre person roles, or cadastre person invite.`;

async function remove(email: string, options: OfRegistrar): Promise<void> {
  const { registrar } = options;
  const membership = { email, registrar };
  await withDatabase(async ({ sql: db, change }) => {
    const now = wallClock.now();
    const outcome = await removeMembership(db, membership, change(options.reason), now);
    if (outcome === 'last administrator') throw new CommandError(lastAdministrator(email));
    if (outcome === 'changed')
      printResult(options, `${email} does not work for ${registrar} any more.`, {
        ...membership,
        removed: true,
      });
    else if (await withdrawInvitation(db, membership, change(options.reason), now))
      printResult(options, `The invitation of ${email} is withdrawn.`, { ...membership, removed: true });
    else throw new CommandError(`${email} neither works for ${registrar} nor is invited by it.`);
  }, options);
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
