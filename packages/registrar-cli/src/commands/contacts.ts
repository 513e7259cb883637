import { argument, type Command, type Context, UsageError } from '../command.ts';
import { REFERENCE_OPTION, reportChange, sortIn } from './domains.ts';

const KINDS = ['priv', 'org', 'birthday'] as const;

const SORTS = ['code', 'name', 'created_at', '-code', '-name', '-created_at'] as const;

const disclosable = ['name', 'email', 'phone', 'address'] as const;
const DISCLOSE_OPTION = {
  value: 'MEMBER,…',
  description: `what may be shown to everybody: ${disclosable.join(', ')}; none`,
} as const;

function disclosedIn(context: Context): (typeof disclosable)[number][] | undefined {
  const text = context.text('disclose');
  if (text === undefined) return undefined;
  const words = text === 'none' ? [] : text.split(',');
  const found = disclosable.filter((member) => words.includes(member));
  if (found.length < words.length)
    throw new UsageError(`--disclose takes ${disclosable.join(', ')}, or none`);
  return found;
}

const members = {
  name: { value: 'TEXT', description: 'name of the person or organisation' },
  email: { value: 'ADDRESS', description: 'e-mail address' },
  phone: { value: 'NUMBER', description: 'such as +372.5551234' },
  ident: { value: 'IDENT', description: 'kind, country and code: priv:EE:60001019906' },
  disclose: DISCLOSE_OPTION,
  reference: REFERENCE_OPTION,
} as const;

/** `priv:EE:60001019906`. */
function parseIdent(text: string) {
  const [kind = '', country = '', ...rest] = text.split(':');
  const type = KINDS.find((known) => known === kind);
  if (!type || country === '' || rest.length === 0)
    throw new UsageError(`${text} is no identification such as priv:EE:60001019906`);
  return { ident_type: type, ident_country_code: country, ident: rest.join(':') };
}

const changed = (context: Context) => ({
  name: context.text('name'),
  email: context.text('email'),
  phone: context.text('phone'),
  ident: parseIfGiven(context.text('ident')),
  disclosed_attributes: disclosedIn(context),
  reference: context.text('reference'),
});

const parseIfGiven = (ident: string | undefined) => (ident === undefined ? undefined : parseIdent(ident));

export const contactCommands: readonly Command[] = [
  {
    name: 'contact list',
    summary: 'Your contacts',
    options: {
      query: { value: 'TEXT', description: 'only codes and names that begin like this' },
      sort: { value: 'COLUMN', description: `one of ${SORTS.join(', ')}` },
    },
    async run(context) {
      const [q, sort] = [context.text('query'), sortIn(context, SORTS)];
      const registry = await context.registry();
      for await (const contact of registry.contacts.list({ details: true, q, sort }))
        context.printer.row(contact, {
          Code: contact.code,
          Name: contact.name,
          'E-mail': contact.email,
          Phone: contact.phone,
        });
    },
  },
  {
    name: 'contact show',
    parameters: 'CODE',
    summary: 'One contact, with its domains',
    async run(context) {
      context.printer.object(
        (await (await context.registry()).contacts.read(argument(context))).data.contact,
      );
    },
  },
  {
    name: 'contact check',
    parameters: 'CODE…',
    summary: 'Whether codes can be used for new contacts',
    async run(context) {
      const registry = await context.registry();
      for (const code of context.args) {
        const { contact } = (await registry.contacts.check(code)).data;
        context.printer.row(contact, {
          Code: contact.code,
          Answer: contact.available ? 'available' : 'taken or not possible',
        });
      }
    },
  },
  {
    name: 'contact create',
    parameters: '[CODE]',
    summary: 'Creates a contact',
    changes: true,
    options: members,
    async run(context) {
      const contact = {
        id: context.args[0],
        name: context.requireText('name'),
        email: context.requireText('email'),
        phone: context.requireText('phone'),
        ident: parseIdent(context.requireText('ident')),
        disclosed_attributes: disclosedIn(context),
        reference: context.text('reference'),
      };
      const { data } = await (await context.registry()).contacts.create(contact, context.change);
      reportChange(context, data, data.contact.code);
    },
  },
  {
    name: 'contact update',
    parameters: 'CODE',
    summary: 'Changes a contact',
    changes: true,
    options: members,
    async run(context) {
      const registry = await context.registry();
      const { data } = await registry.contacts.update(argument(context), changed(context), context.change);
      reportChange(context, data, `${data.contact.code} is changed`);
    },
  },
  {
    name: 'contact delete',
    parameters: 'CODE',
    summary: 'Deletes a contact that no domain uses',
    changes: true,
    async run(context) {
      const { data } = await (await context.registry()).contacts.delete(argument(context), context.change);
      reportChange(context, data, `${argument(context)} is deleted`);
    },
  },
];
