import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { parseHostname, parseNameserver } from '../../registry/domains/rules/parse-nameservers.ts';
import { replaceNameserver } from '../../registry/domains/bulk/replace-nameserver.ts';
import { replaceTech } from '../../registry/domains/bulk/replace-tech.ts';
import { storedNames } from '../../registry/names/name-lists.ts';
import { emptyIs, VERBATIM } from '../http/normalise-value.ts';
import { Type } from '../http/schema-builder.ts';
import { perform } from './answers.ts';
import { Nameserver } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { refusal } from './registrar-api-refusals.ts';
import { NAMESERVER_REPLACEMENT_NAMES, NEW_DOMAIN_NAMES } from './render-refusals.ts';
import { renderAffected, renderReplaced } from './render-results.ts';
import { Changed, Strict, Text } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };
const MAX_DOMAINS = 10_000;
const Names = Type.Array(Type.String());
const lists = { affected_domains: ['example.ee'], skipped_domains: ['näide.ee'] };

export function replacementEndpoints({ database, policy }: Dependencies): RegistrarEndpoint[] {
  const group = { group: 'Bulk actions', right: 'objects', isBulk: true } as const;
  return [
    endpoint({
      ...group,
      id: 'replaceTechContact',
      names: NEW_DOMAIN_NAMES,
      method: 'PATCH',
      path: '/domains/contacts',
      summary: 'Replace a tech contact on every domain that has it',
      body: Strict({
        current_contact_id: Text('code of the tech contact to replace', VERBATIM),
        new_contact_id: Text('code of the contact to put in its place', VERBATIM),
      }),
      data: Changed({ affected_domains: Names, skipped_domains: Names }),
      refusals: ['bodyObjectMissing', 'sameContact'],
      example: {
        body: { current_contact_id: 'mari', new_contact_id: 'jaan' },
        data: lists,
      },
      parse: ({ current_contact_id: current = '', new_contact_id: next = '' }) => ({
        value: { current, next },
      }),
      handle: async ({ input, context }) =>
        perform(context, renderAffected, (keyed) => replaceTech(database, input, keyed)),
    }),

    endpoint({
      ...group,
      id: 'replaceNameserver',
      names: NAMESERVER_REPLACEMENT_NAMES,
      method: 'PUT',
      path: '/registrar/nameservers',
      summary: 'Replace a nameserver on every domain that has it, or on those that are listed',
      body: Strict({
        data: Strict({
          type: Type.Enum(['nameserver'], { description: 'always nameserver' }),
          id: Text('hostname of the nameserver to replace'),
          domains: Type.Optional(
            Type.Array(Text('name'), {
              minItems: 1,
              maxItems: MAX_DOMAINS,
              description: 'only on these; without it on all that have it',
              // An empty list never means all of them.
              ...emptyIs('refused'),
            }),
          ),
          attributes: Nameserver,
        }),
      }),
      data: Changed({
        type: Type.Literal('nameserver'),
        id: Type.String(),
        attributes: Type.Object({}, { additionalProperties: true }),
        affected_domains: Names,
        skipped_domains: Names,
      }),
      refusals: ['bodyObjectMissing', 'sameNameserver', 'outOfRange'],
      example: {
        body: {
          data: {
            type: 'nameserver',
            id: 'ns.example.net',
            domains: ['example.ee', 'näide.ee'],
            attributes: { hostname: 'ns2.example.net' },
          },
        },
        data: {
          type: 'nameserver',
          id: 'ns2.example.net',
          attributes: { hostname: 'ns2.example.net' },
          ...lists,
        },
      },
      parse: async ({ data }) => {
        const { id = '', domains, attributes = {} } = data ?? {};
        const current = parseHostname(id);
        const next = parseNameserver(attributes, ['next']);
        const refusals = [
          ...(current === undefined
            ? [refusal('wrongSyntax', { field: 'data.id', expected: 'the name of a host' })]
            : []),
          ...('refusals' in next ? next.refusals : []),
        ];
        if (current === undefined || !('value' in next)) return { refusals };
        const names = domains && [...new Set(await storedNames(domains, policy))];
        return { value: { current, next: next.value, attributes, names } };
      },
      handle: async ({ input: { attributes, ...input }, context }) =>
        perform(context, renderReplaced(input.next, attributes), (keyed) =>
          replaceNameserver(database, input, keyed),
        ),
    }),
  ];
}
