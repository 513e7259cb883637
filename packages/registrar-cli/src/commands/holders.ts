import { argument, type Command, type Context, UsageError } from '../command.ts';
import { askHidden } from '../password.ts';
import { reportChange } from './domains.ts';

const ROLES = {
  admin: { value: 'CODE', multiple: true, description: 'admin contact' },
  tech: { value: 'CODE', multiple: true, description: 'tech contact' },
} as const;

function contactsIn(context: Context) {
  const typed = (type: 'admin' | 'tech') => context.texts(type).map((code) => ({ code, type }));
  const contacts = [...typed('admin'), ...typed('tech')];
  if (contacts.length === 0) throw new UsageError('--admin or --tech is missing');
  return contacts;
}

/** Whom a domain belongs to, who acts for it, and the code by which it goes to another registrar. */
export const holderCommands: readonly Command[] = [
  {
    name: 'domain registrant',
    parameters: 'NAME CODE',
    summary: 'Gives a domain to another registrant, a contact of yours',
    changes: true,
    options: { verified: { description: 'you vouch for the consent of the registrant' } },
    async run(context) {
      const [name = '', code = ''] = context.args;
      const change = { registrant: { code, verified: context.flag('verified') } };
      const { data } = await (await context.registry()).domains.update(name, change, context.change);
      const outcome = data.domain.pending ? 'waits for its registrant' : `belongs to ${code}`;
      reportChange(context, data, `${data.domain.name} ${outcome}`);
    },
  },
  {
    name: 'domain reference',
    parameters: 'NAME',
    summary: 'Gives a domain another note of your own, which nobody else sees',
    changes: true,
    options: { reference: { value: 'TEXT', description: 'the note; "" removes it' } },
    async run(context) {
      const reference = context.text('reference');
      if (reference === undefined) throw new UsageError('--reference is missing');
      const registry = await context.registry();
      const { data } = await registry.domains.update(argument(context), { reference }, context.change);
      const outcome = data.domain.reference === null ? 'no reference' : 'another reference';
      reportChange(context, data, `${data.domain.name} has ${outcome}`);
    },
  },
  {
    name: 'domain contacts',
    parameters: 'NAME',
    summary: 'The admin and tech contacts of a domain',
    async run(context) {
      const { data } = await (await context.registry()).domains.contacts(argument(context));
      for (const [role, codes] of [
        ['admin', data.admin_contacts],
        ['tech', data.tech_contacts],
      ] as const)
        for (const code of codes) context.printer.row({ role, code }, { Role: role, Code: code });
    },
  },
  {
    name: 'domain contacts add',
    parameters: 'NAME',
    summary: 'Adds admin and tech contacts',
    changes: true,
    options: ROLES,
    async run(context) {
      const [name, contacts] = [argument(context), contactsIn(context)];
      const { data } = await (await context.registry()).domains.addContacts(name, contacts, context.change);
      reportChange(context, data, `${name} has ${contacts.length} more`);
    },
  },
  {
    name: 'domain contacts remove',
    parameters: 'NAME',
    summary: 'Removes admin and tech contacts',
    changes: true,
    options: ROLES,
    async run(context) {
      const [name, contacts] = [argument(context), contactsIn(context)];
      const registry = await context.registry();
      const { data } = await registry.domains.removeContacts(name, contacts, context.change);
      reportChange(context, data, `${name} has ${contacts.length} less`);
    },
  },
  {
    name: 'domain transfer-code',
    parameters: 'NAME',
    summary: 'Shows the transfer code of a domain of yours, for its registrant',
    async run(context) {
      const { domain } = (await (await context.registry()).domains.read(argument(context))).data;
      const { name, transfer_code: code } = domain;
      context.printer.item({ name, transfer_code: code }, code);
    },
  },
  {
    name: 'domain transfer-code set',
    parameters: 'NAME',
    summary: 'Gives it another one, which is read from the terminal or the input',
    changes: true,
    async run(context) {
      const registry = await context.registry();
      const change = { transfer_code: await askHidden(context.environment, 'New transfer code: ') };
      const { data } = await registry.domains.update(argument(context), change, context.change);
      reportChange(context, data, `${data.domain.name} has another transfer code`);
    },
  },
  {
    name: 'domain transfer-info',
    parameters: 'NAME',
    summary: 'The people behind a domain that you may take over; its transfer code is read from the input',
    options: { own: { description: 'it is yours and needs no code' } },
    async run(context) {
      const registry = await context.registry();
      const authCode = context.flag('own')
        ? undefined
        : await askHidden(context.environment, 'Transfer code: ');
      context.printer.object((await registry.transfers.info(argument(context), { authCode })).data);
    },
  },
];
