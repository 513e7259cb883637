import { parseHostname, parseNameserver } from '../../../registry/domains/rules/parse-nameservers.ts';
import { replaceAdmin } from '../../../registry/domains/bulk/replace-admin.ts';
import { replaceNameserver } from '../../../registry/domains/bulk/replace-nameserver.ts';
import { storedNames } from '../../../registry/names/name-lists.ts';
import { emptyIs, VERBATIM } from '../../http/normalise-value.ts';
import { Type } from '../../http/schema-builder.ts';
import { perform } from '../answers.ts';
import { Nameserver } from '../domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from '../endpoint.ts';
import { refusal } from '../registrar-api-refusals.ts';
import { renderAffected, renderReplaced } from '../render-results.ts';
import { Strict, Text } from '../schemas.ts';
import type { CallDependencies } from './calls.ts';

const MAX_DOMAINS = 10_000;

export function bulkCalls({ database, policy, described }: CallDependencies): RegistrarEndpoint[] {
  return [
    endpoint({
      ...described('replaceNameserver'),
      path: '/registrar/nameservers',
      body: Strict({
        data: Strict({
          type: Text('nameserver, which is not compared'),
          id: Type.Optional(Text('hostname of the nameserver to replace; without it one is added')),
          domains: Type.Optional(
            Type.Array(Text('name'), { minItems: 1, maxItems: MAX_DOMAINS, ...emptyIs('refused') }),
          ),
          attributes: Nameserver,
        }),
      }),
      parse: async ({ data }) => {
        const { id, domains, attributes = {} } = data ?? {};
        const current = id === undefined ? undefined : parseHostname(id);
        const next = parseNameserver(attributes, ['next']);
        const isWrong = id !== undefined && current === undefined;
        const refusals = [
          ...(isWrong ? [refusal('wrongSyntax', { field: 'data.id', expected: 'the name of a host' })] : []),
          ...('refusals' in next ? next.refusals : []),
        ];
        if (isWrong || !('value' in next)) return { refusals };
        // An addition is to the listed domains only.
        const listed = domains ?? (id === undefined ? [] : undefined);
        const names = listed && [...new Set(await storedNames(listed, policy))];
        return { value: { current, next: next.value, attributes, names, mayBeSame: true } };
      },
      handle: async ({ input: { attributes, ...input }, context }) =>
        perform(context, renderReplaced(input.next, attributes), (keyed) =>
          replaceNameserver(database, input, keyed),
        ),
    }),
  ];
}

/** A call of the incumbent that has no counterpart here. */
export function adminContactCall({ database, described }: CallDependencies): RegistrarEndpoint {
  return endpoint({
    ...described('replaceTechContact'),
    id: 'replaceAdminContact',
    path: '/domains/admin_contacts',
    summary: 'Replace an admin contact by another contact of the same person on every domain that has it',
    body: Strict({
      current_contact_id: Text('code of the admin contact to replace', VERBATIM),
      new_contact_id: Text('code of the contact to put in its place', VERBATIM),
    }),
    parse: ({ current_contact_id: current = '', new_contact_id: next = '' }) => ({
      value: { current, next },
    }),
    handle: async ({ input, context }) =>
      perform(context, renderAffected, (keyed) => replaceAdmin(database, input, keyed)),
  });
}
