import type { Parsed } from '../../operations/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { NamedContact } from '../../registry/domains/rules/domain-parts.ts';
import { readOwnPart } from '../../registry/domains/readings/read-domain.ts';
import { updateDomain } from '../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { JsonText } from '../http/http-answer.ts';
import { VERBATIM } from '../http/normalise-value.ts';
import { documented, Type } from '../http/schema-builder.ts';
import { perform } from './answers.ts';
import { DOMAIN_CONTACTS } from './domain-json.ts';
import { nameIn } from './domain-path.ts';
import { DomainName } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { DOMAIN_CHANGE_NAMES } from './render-refusals.ts';
import { renderDomain } from './render-results.ts';
import { Changed, Strict, Text } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const ofDomain = ['objectMissing', 'objectGone', 'notSponsor'] as const;
const Named = Strict({
  code: Text('contact code', VERBATIM),
  type: Type.Enum(['admin', 'tech'], { description: 'the role' }),
});
const contactList = ({ domains }: Policy) =>
  Type.Array(Named, {
    minItems: 1,
    maxItems: 100,
    ...documented({ maxItems: domains.mostAdminContacts + domains.mostTechContacts }),
  });

export function domainContactEndpoints({ database, policy }: Dependencies): RegistrarEndpoint[] {
  const shared = { group: 'Domains', right: 'objects', path: '/domains/:domain_name/contacts' } as const;
  const params = { domain_name: 'example.ee' };
  const change = {
    body: Strict({ contacts: contactList(policy) }),
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
        data: new JsonText(await readOwnPart(database.reads, nameIn(path, policy), DOMAIN_CONTACTS, context)),
      }),
    }),

    endpoint({
      ...shared,
      ...change,
      id: 'addDomainContacts',
      names: DOMAIN_CHANGE_NAMES,
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
        perform(context, renderDomain, (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            { name: nameIn(path, policy), add: { contacts: input } },
            keyed,
          ),
        ),
    }),

    endpoint({
      ...shared,
      ...change,
      id: 'removeDomainContacts',
      names: DOMAIN_CHANGE_NAMES,
      method: 'DELETE',
      summary: 'Remove admin and tech contacts',
      refusals: [...ofDomain, 'statusProhibits', 'contactNotLinked', 'adminRequired'],
      handle: async ({ params: path, input, context }) =>
        perform(context, renderDomain, (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            { name: nameIn(path, policy), remove: { contacts: input } },
            keyed,
          ),
        ),
    }),
  ];
}

type ContactText = { readonly code?: string; readonly type?: string };

function parse({ contacts = [] }: { readonly contacts?: readonly ContactText[] }): Parsed<NamedContact[]> {
  return {
    value: contacts.map(({ code = '', type }) => ({ code, role: type === 'admin' ? 'admin' : 'tech' })),
  };
}
