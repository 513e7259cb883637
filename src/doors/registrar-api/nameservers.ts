import type { Database } from '../../platform/sql/database.ts';
import type { Policy } from '../../policy/policy.ts';
import {
  addNameservers,
  removeNameserver,
  removeNameservers,
} from '../../registry/domains/change-nameservers.ts';
import { parseHostname, parseNameserver } from '../../registry/domains/nameservers.ts';
import { parseEach } from '../../registry/domains/parse-new-domain.ts';
import { readDomainPart } from '../../registry/domains/read-domain.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { JsonText } from '../http/answer.ts';
import { Type } from '../http/schema-builder.ts';
import { performed } from './answers.ts';
import { nameIn } from './domain-path.ts';
import { DomainName, Nameserver } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { Changed, Strict } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const ofDomain = ['objectMissing', 'objectGone', 'notSponsor'] as const;
const Shown = Type.Object(
  { hostname: Type.String(), ipv4: Type.Array(Type.String()), ipv6: Type.Array(Type.String()) },
  { additionalProperties: false, 'x-component': 'Nameserver' },
);
const shown = [{ hostname: 'ns1.example.ee', ipv4: ['192.0.2.1'], ipv6: [] }];
const done = { domain: { name: 'example.ee' } };

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
          await readDomainPart(database.reads, nameIn(path, policy), 'nameservers', context),
        ),
      }),
    }),

    endpoint({
      ...group,
      id: 'addNameservers',
      method: 'POST',
      path: '/domains/:domain_name/nameservers',
      summary: `Add nameservers; a domain has none, or ${min} to ${max}`,
      body: Strict({ nameservers: Type.Array(Nameserver, { minItems: 1, maxItems: 100 }) }),
      data: Changed({ domain: DomainName }),
      refusals: [...ofDomain, 'statusProhibits', 'nameserverCount', 'nameserverTaken', 'glueMissing'],
      example: { params, body: { nameservers: [{ hostname: 'ns3.example.net' }] }, data: done },
      parse: ({ nameservers = [] }) => {
        const { values, refusals } = parseEach(nameservers, (item, index) =>
          parseNameserver(item, `nameservers.${index}`),
        );
        return refusals.length > 0 ? { refusals } : { value: values };
      },
      handle: async ({ params: path, input, context }) =>
        performed(
          await runRegistryOperation(
            database,
            addNameservers,
            { name: nameIn(path, policy), nameservers: input },
            context,
          ),
        ),
    }),

    endpoint({
      ...group,
      id: 'removeNameserver',
      method: 'DELETE',
      path: '/domains/:domain_name/nameservers/:nameserver_hostname',
      summary: 'Remove one nameserver',
      data: Changed({ domain: DomainName }),
      refusals: [...ofDomain, 'statusProhibits', 'nameserverCount'],
      example: { params: { ...params, nameserver_hostname: 'ns3.example.net' }, data: done },
      handle: async ({ params: path, context }) => {
        const hostname = parseHostname(path.nameserver_hostname);
        return performed(
          await runRegistryOperation(
            database,
            removeNameserver,
            { name: nameIn(path, policy), hostname },
            context,
          ),
        );
      },
    }),

    endpoint({
      ...group,
      id: 'removeNameservers',
      method: 'DELETE',
      path: '/domains/:domain_name/nameservers',
      summary: 'Remove all nameservers; the domain becomes inactive',
      data: Changed({ domain: DomainName }),
      refusals: [...ofDomain, 'statusProhibits'],
      example: { params, data: done },
      handle: async ({ params: path, context }) =>
        performed(
          await runRegistryOperation(database, removeNameservers, { name: nameIn(path, policy) }, context),
        ),
    }),
  ];
}
