import { Refused } from '../../operations/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { parseHostname, parseNameserver } from '../../registry/domains/rules/parse-nameservers.ts';
import { parseEach } from '../../registry/domains/rules/parse-new-domain.ts';
import { readOwnPart } from '../../registry/domains/readings/read-domain.ts';
import { updateDomain } from '../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { JsonText } from '../http/http-answer.ts';
import { Type } from '../http/schema-builder.ts';
import { perform } from './answers.ts';
import { DOMAIN_NAMESERVERS } from './domain-json.ts';
import { nameIn } from './domain-path.ts';
import { DomainName, newNameservers } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { refuse } from './registrar-api-refusals.ts';
import { DOMAIN_CHANGE_NAMES } from './render-refusals.ts';
import { renderDomain } from './render-results.ts';
import { Changed, Strict } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const ofDomain = ['objectMissing', 'objectGone', 'notSponsor'] as const;
const Shown = Type.Object(
  { hostname: Type.String(), ipv4: Type.Array(Type.String()), ipv6: Type.Array(Type.String()) },
  { additionalProperties: false, 'x-component': 'Nameserver' },
);
const shown = [{ hostname: 'ns1.example.ee', ipv4: ['192.0.2.1'], ipv6: [] }];
const done = { domain: { name: 'example.ee' } };

/** The path addresses the nameserver: one that the domain does not have is the missing object of the call. */
async function missingIfUnknown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUnknown =
      error instanceof Refused && error.refusals.some(({ name }) => name === 'bodyObjectMissing');
    if (isUnknown) refuse('objectMissing');
    throw error;
  }
}

export function nameserverEndpoints({ database, policy }: Dependencies): RegistrarEndpoint[] {
  const group = { group: 'Nameservers', right: 'objects' } as const;
  const { min, max } = policy.domains.nameservers;
  const params = { domain_name: 'example.ee' };
  return [
    endpoint({
      ...group,
      id: 'listNameservers',
      method: 'GET',
      path: '/domains/:domain_name/nameservers',
      summary: 'The nameservers of a domain',
      data: Type.Object({ nameservers: Type.Array(Shown) }, { additionalProperties: false }),
      refusals: ofDomain,
      example: { params, data: { nameservers: shown } },
      handle: async ({ params: path, context }) => ({
        data: new JsonText(
          await readOwnPart(database.reads, nameIn(path, policy), DOMAIN_NAMESERVERS, context),
        ),
      }),
    }),

    endpoint({
      ...group,
      id: 'addNameservers',
      names: DOMAIN_CHANGE_NAMES,
      method: 'POST',
      path: '/domains/:domain_name/nameservers',
      summary: `Add nameservers; a domain has none, or ${min} to ${max}`,
      body: Strict({ nameservers: newNameservers(policy, { minItems: 1 }) }),
      data: Changed({ domain: DomainName }),
      refusals: [...ofDomain, 'statusProhibits', 'nameserverCount', 'nameserverTaken', 'glueMissing'],
      example: { params, body: { nameservers: [{ hostname: 'ns3.example.net' }] }, data: done },
      parse: ({ nameservers = [] }) => {
        const { values, refusals } = parseEach(nameservers, (item, index) =>
          parseNameserver(item, ['add', 'nameservers', index]),
        );
        return refusals.length > 0 ? { refusals } : { value: values };
      },
      handle: async ({ params: path, input, context }) =>
        perform(context, renderDomain, (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            { name: nameIn(path, policy), add: { nameservers: input } },
            keyed,
          ),
        ),
    }),

    endpoint({
      ...group,
      id: 'removeNameserver',
      names: DOMAIN_CHANGE_NAMES,
      method: 'DELETE',
      path: '/domains/:domain_name/nameservers/:nameserver_hostname',
      summary: 'Remove one nameserver',
      data: Changed({ domain: DomainName }),
      refusals: [...ofDomain, 'statusProhibits', 'nameserverCount'],
      example: { params: { ...params, nameserver_hostname: 'ns3.example.net' }, data: done },
      handle: async ({ params: path, context }) => {
        const { nameserver_hostname: text } = path;
        const hostname = parseHostname(text) ?? text;
        return missingIfUnknown(() =>
          perform(context, renderDomain, (keyed) =>
            runRegistryOperation(
              database,
              updateDomain,
              { name: nameIn(path, policy), remove: { nameservers: [{ hostname }] } },
              keyed,
            ),
          ),
        );
      },
    }),

    endpoint({
      ...group,
      id: 'removeNameservers',
      names: DOMAIN_CHANGE_NAMES,
      method: 'DELETE',
      path: '/domains/:domain_name/nameservers',
      summary: 'Remove all nameservers; the domain becomes inactive',
      data: Changed({ domain: DomainName }),
      refusals: [...ofDomain, 'statusProhibits'],
      example: { params, data: done },
      handle: async ({ params: path, context }) =>
        perform(context, renderDomain, (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            { name: nameIn(path, policy), remove: { nameservers: 'all' } },
            keyed,
          ),
        ),
    }),
  ];
}
