import type { Parsed } from '../../operations/refusal.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { addContacts, removeContacts } from '../../registry/domains/change-contacts.ts';
import type { NamedContact } from '../../registry/domains/domain-parts.ts';
import { readDomainPart } from '../../registry/domains/read-domain.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { JsonText } from '../http/answer.ts';
import { Type } from '../http/schema-builder.ts';
import { VERBATIM } from '../http/trim-texts.ts';
import { performed } from './answers.ts';
import { nameIn } from './domain-path.ts';
import { DomainName } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { Changed, Strict, Text } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const ofDomain = ['objectMissing', 'objectGone', 'notSponsor'] as const;
const Named = Strict({
  code: Text('contact code', VERBATIM),
  type: Type.Enum(['admin', 'tech'], { description: 'the role' }),
});
const Contacts = Strict({ contacts: Type.Array(Named, { minItems: 1, maxItems: 100 }) });

export function domainContactEndpoints({ database, policy }: Dependencies): RegistrarEndpoint[] {
  const shared = { group: 'Domains', right: 'objects', path: '/domains/:domain_name/contacts' } as const;
  const params = { domain_name: 'example.ee' };
  const change = {
    body: Contacts,
    data: Changed({ domain: DomainName }),
    example: {
      params,
      body: { contacts: [{ code: 'jaan', type: 'tech' }] },
      data: { domain: { name: 'example.ee' } },
    },
    parse,
  };
  return [
    endpoint({
      ...shared,
      id: 'listDomainContacts',
      method: 'GET',
      summary: 'The admin and tech contacts of a domain',
      data: Type.Object(
        { admin_contacts: Type.Array(Type.String()), tech_contacts: Type.Array(Type.String()) },
        { additionalProperties: false },
      ),
      refusals: ofDomain,
      example: { params, data: { admin_contacts: ['mari'], tech_contacts: ['jaan'] } },
      handle: async ({ params: path, context }) => ({
        data: new JsonText(await readDomainPart(database.reads, nameIn(path, policy), 'contacts', context)),
      }),
    }),

    endpoint({
      ...shared,
      ...change,
      id: 'addDomainContacts',
      method: 'POST',
      summary: 'Add admin and tech contacts',
      refusals: [
        ...ofDomain,
        'statusProhibits',
        'bodyObjectMissing',
        'contactTwice',
        'adminNotPerson',
        'adminTooYoung',
        'tooMany',
      ],
      handle: async ({ params: path, input, context }) =>
        performed(
          await runRegistryOperation(
            database,
            addContacts,
            { name: nameIn(path, policy), contacts: input },
            context,
          ),
        ),
    }),

    endpoint({
      ...shared,
      ...change,
      id: 'removeDomainContacts',
      method: 'DELETE',
      summary: 'Remove admin and tech contacts',
      refusals: [...ofDomain, 'statusProhibits', 'contactNotLinked', 'adminRequired'],
      handle: async ({ params: path, input, context }) =>
        performed(
          await runRegistryOperation(
            database,
            removeContacts,
            { name: nameIn(path, policy), contacts: input },
            context,
          ),
        ),
    }),
  ];
}

type ContactText = { readonly code?: string; readonly type?: string };

function parse({ contacts = [] }: { readonly contacts?: readonly ContactText[] }): Parsed<NamedContact[]> {
  return {
    value: contacts.map(({ code = '', type }, index) => ({
      code,
      role: type === 'admin' ? 'admin' : 'tech',
      field: `contacts.${index}`,
    })),
  };
}
