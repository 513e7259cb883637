import { Command } from 'commander';
import { dayIn } from '../platform/values/dates.ts';
import { policy } from '../policy/installed.ts';
import { parseContactFields } from '../registry/contacts/contact-fields.ts';
import { correctContact } from '../registry/contacts/correct-contact.ts';
import { showContact } from '../registry/contacts/read-contact.ts';
import { CONTACT_OPTIONS, renderRefusals } from './render-refusals.ts';
import { type Changing, changing, printResult, withJson } from './terminal/changing.ts';
import { type Operating, operating, withOperator } from './terminal/operate.ts';
import { CommandError, printFields } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

type Options = Operating & {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly disclose?: string;
  readonly byRegistrant?: boolean;
};

export function contactCommand(): Command {
  const command = new Command('contact').description('people and organisations behind domains');
  withJson(command.command('show <code>'))
    .description('one contact, with the domains that it stands behind')
    .action((code: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const contact = await showContact(db, code);
        if (!contact) throw new CommandError(`There is no contact ${code}.`);
        printFields(contact, json);
      }),
    );
  changing(operating(command.command('update <code>'), correctContact))
    .description('correct how a person or an organisation is called or reached')
    .option('--name <name>', 'the new name')
    .option('--email <address>', 'the new e-mail address')
    .option('--phone <number>', 'the new phone number, such as +372.5555555')
    .option(
      '--disclose <list>',
      'what the public look-up may show: of name, email, phone, address, by commas; none',
    )
    .option('--by-registrant', 'the registrant requested it: the registrar is notified')
    .action((code: string, options: Options) =>
      withOperator(options, async ({ run, now }) => {
        const { name, email, phone, disclose, byRegistrant: isByRegistrant = false } = options;
        const text = {
          ...(name && { name }),
          ...(email && { email }),
          ...(phone && { phone }),
          ...(disclose !== undefined && { disclosedAttributes: listOf(disclose) }),
        };
        const parsed = parseContactFields(text, policy, dayIn(policy.timeZone, now));
        if ('refusals' in parsed)
          throw new CommandError(
            renderRefusals(parsed.refusals, CONTACT_OPTIONS)
              .map((text) => `${text}.`)
              .join('\n'),
          );
        const correction = { code, changes: parsed.value, isByRegistrant };
        const { code: updated } = await run(correctContact, correction);
        printResult(options, `Contact ${updated} is updated.`, { code: updated, ...text });
      }),
    );
  return command;
}

const listOf = (text: string): string[] =>
  text === 'none' ? [] : text.split(',').map((item) => item.trim());
