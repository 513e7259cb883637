import type { Parsed } from '../../operations/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { type DnsKey as Key, parseDnsKey, parseNewDnsKey } from '../../registry/domains/rules/dnssec-keys.ts';
import { parseEach } from '../../registry/domains/rules/parse-new-domain.ts';
import { readOwnPart } from '../../registry/domains/readings/read-domain.ts';
import { updateDomain } from '../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { JsonText } from '../http/http-answer.ts';
import { Type } from '../http/schema-builder.ts';
import { perform } from './answers.ts';
import { DOMAIN_KEYS } from './domain-json.ts';
import { nameIn } from './domain-path.ts';
import { DomainName, newKeys } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { newDomainExample } from './examples.ts';
import { keyIn } from './read-objects.ts';
import { DOMAIN_CHANGE_NAMES } from './render-refusals.ts';
import { renderDomain } from './render-results.ts';
import { Changed, Strict } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const ofDomain = ['objectMissing', 'objectGone', 'notSponsor'] as const;
const Shown = Type.Object(
  { flags: Type.Integer(), protocol: Type.Integer(), alg: Type.Integer(), public_key: Type.String() },
  { additionalProperties: false, 'x-component': 'Key' },
);
const [key] = newDomainExample.domain.dnskeys_attributes;
const shownKey = { flags: 257, protocol: 3, alg: 13, public_key: key?.public_key ?? '' };
const other = {
  flags: '257',
  protocol: '3',
  alg: '15',
  public_key: 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
};

export function dnssecEndpoints({ database, policy }: Dependencies): RegistrarEndpoint[] {
  const group = { group: 'DNSSEC', right: 'objects' } as const;
  const params = { domain_name: 'example.ee' };
  const change = {
    body: Strict({ dns_keys: newKeys(policy, { minItems: 1 }) }),
    data: Changed({ domain: DomainName }),
    example: { params, body: { dns_keys: [other] }, data: { domain: { name: 'example.ee' } } },
  };
  const parseBy =
    (parse: typeof parseDnsKey, change: 'add' | 'remove') =>
    ({
      dns_keys: keys = [],
    }: {
      readonly dns_keys?: readonly Parameters<typeof keyIn>[0][];
    }): Parsed<Key[]> => {
      const { values, refusals } = parseEach(keys, (item, index) =>
        parse(keyIn(item), [change, 'dnsKeys', index], policy),
      );
      return refusals.length > 0 ? { refusals } : { value: values };
    };
  return [
    endpoint({
      ...group,
      id: 'listKeys',
      method: 'GET',
      path: '/domains/:domain_name/dnssec',
      summary: 'The DNSSEC keys of a domain',
      data: Type.Object({ dns_keys: Type.Array(Shown) }, { additionalProperties: false }),
      refusals: ofDomain,
      example: { params, data: { dns_keys: [shownKey] } },
      handle: async ({ params: path, context }) => ({
        data: new JsonText(await readOwnPart(database.reads, nameIn(path, policy), DOMAIN_KEYS, context)),
      }),
    }),

    endpoint({
      ...group,
      ...change,
      id: 'addKeys',
      names: DOMAIN_CHANGE_NAMES,
      method: 'POST',
      path: '/domains/:domain_name/dnssec',
      summary: `Add DNSSEC keys, ${policy.domains.mostDnssecKeys} at the most`,
      refusals: [...ofDomain, 'statusProhibits', 'dnsKeyTaken', 'tooMany'],
      parse: parseBy(parseNewDnsKey, 'add'),
      handle: async ({ params: path, input, context }) =>
        perform(context, renderDomain, (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            { name: nameIn(path, policy), add: { keys: input } },
            keyed,
          ),
        ),
    }),

    endpoint({
      ...group,
      ...change,
      id: 'removeKeys',
      names: DOMAIN_CHANGE_NAMES,
      method: 'DELETE',
      path: '/domains/:domain_name/dnssec',
      summary: 'Remove DNSSEC keys, each named by all four of its fields',
      refusals: [...ofDomain, 'statusProhibits', 'dnsKeyMissing'],
      parse: parseBy(parseDnsKey, 'remove'),
      handle: async ({ params: path, input, context }) =>
        perform(context, renderDomain, (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            { name: nameIn(path, policy), remove: { keys: input } },
            keyed,
          ),
        ),
    }),
  ];
}
