import type { Static } from 'typebox';
import { type Names, nameRefusal } from '../../../operations/named-refusal.ts';
import type { Parsed } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import { type DnsKey, parseDnsKey, parseNewDnsKey } from '../../../registry/domains/rules/dnssec-keys.ts';
import type { DomainPath } from '../../../registry/domains/rules/domain-paths.ts';
import { type Nameserver, parseNameserver } from '../../../registry/domains/rules/parse-nameservers.ts';
import { parseEach } from '../../../registry/domains/rules/parse-new-domain.ts';
import { type DomainUpdate, updateDomain } from '../../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { VERBATIM } from '../../http/normalise-value.ts';
import { Type } from '../../http/schema-builder.ts';
import { perform } from '../answers.ts';
import { nameIn } from '../domain-path.ts';
import { domainChange, Nameserver as NewNameserver, newKey, readDomainChange } from '../domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from '../endpoint.ts';
import { keyIn } from '../read-objects.ts';
import { DOMAIN_CHANGE_NAMES } from '../render-refusals.ts';
import { renderDomain } from '../render-results.ts';
import { Strict, Text } from '../schemas.ts';
import { documentedDomain } from '../whole-answers.ts';
import type { CallDependencies } from './calls.ts';

const MAX_ITEMS = 100;
const action = Type.Enum(['add', 'rem'], { description: 'whether it is added or removed' });

/** All that an update changes at the incumbent. `contacts` are those that the domain is to have. */
const changes = (policy: Policy) => ({
  ...domainChange(policy),
  reserved_pw: Type.Optional(Text('the code of a dispute about the name', VERBATIM)),
  nameservers: Type.Optional(
    Type.Array(Strict({ ...NewNameserver.properties, action }), { maxItems: MAX_ITEMS }),
  ),
  dns_keys: Type.Optional(
    Type.Array(Strict({ ...newKey(policy).properties, action }), { maxItems: MAX_ITEMS }),
  ),
  contacts: Type.Optional(
    Type.Array(
      Strict({
        code: Text('contact code', VERBATIM),
        type: Type.Enum(['admin', 'tech'], { description: 'the role' }),
      }),
      { maxItems: MAX_ITEMS },
    ),
  ),
});
type Changes = Partial<Static<ReturnType<typeof bodyOf>>['domain']>;
const bodyOf = (policy: Policy) => Strict({ domain: Strict(changes(policy)) });

type Update = Omit<DomainUpdate, 'name'>;

export function domainUpdateCall({ database, policy, described }: CallDependencies): RegistrarEndpoint {
  return endpoint({
    ...described('updateDomain'),
    names: NAMES,
    path: '/domains/:domain_name',
    body: bodyOf(policy),
    parse: ({ domain = {} }) => parseChanges(domain as Changes, policy),
    handle: async ({ params, input, context }) =>
      perform(
        context,
        renderDomain,
        (keyed) =>
          runRegistryOperation(database, updateDomain, { name: nameIn(params, policy), ...input }, keyed),
        { again: documentedDomain },
      ),
  });
}

function parseChanges(domain: Changes, policy: Policy): Parsed<Update> {
  const change = readDomainChange(domain, policy);
  const parts = parseParts(domain, policy);
  const refusals = [change, parts]
    .flatMap((parsed) => ('refusals' in parsed ? parsed.refusals : []))
    .map((refusal) => nameRefusal(refusal, READ_NAMES));
  if ('refusals' in change || 'refusals' in parts) return { refusals };
  return { value: { ...change.value, ...parts.value, disputeCode: domain.reserved_pw } };
}

type Parts = Pick<DomainUpdate, 'remove' | 'add' | 'contacts'>;

function parseParts(
  { nameservers = [], dns_keys: keys = [], contacts }: Changes,
  policy: Policy,
): Parsed<Parts> {
  const hosts = parseEach(
    nameservers,
    (item, index): Parsed<Acted<Nameserver>> =>
      acted(parseNameserver(withoutAction(item), ['nameservers', index]), item),
  );
  const parsedKeys = parseEach(keys, (item, index): Parsed<Acted<DnsKey>> => {
    const parse = item.action === 'rem' ? parseDnsKey : parseNewDnsKey;
    return acted(parse(keyIn(item), ['dnsKeys', index], policy), item);
  });
  const refusals = [...hosts.refusals, ...parsedKeys.refusals];
  if (refusals.length > 0) return { refusals };
  const those = <T>(items: readonly Acted<T>[], wanted: 'add' | 'rem'): T[] =>
    items.filter((item) => item.action === wanted).map(({ value }) => value);
  const removed = those(hosts.values, 'rem').map(({ hostname }) => ({ hostname }));
  return {
    value: {
      remove: { nameservers: removed, keys: those(parsedKeys.values, 'rem') },
      add: { nameservers: those(hosts.values, 'add'), keys: those(parsedKeys.values, 'add') },
      contacts: contacts?.map(({ code, type }) => ({
        code,
        role: type === 'admin' ? ('admin' as const) : ('tech' as const),
      })),
    },
  };
}

type Acted<T> = { readonly value: T; readonly action: 'add' | 'rem' };

const acted = <T>(parsed: Parsed<T>, { action: given }: { readonly action?: string }): Parsed<Acted<T>> =>
  'refusals' in parsed ? parsed : { value: { value: parsed.value, action: given === 'rem' ? 'rem' : 'add' } };

function withoutAction<T extends { readonly action?: string }>(item: T): Omit<T, 'action'> {
  const { action: _action, ...rest } = item;
  return rest;
}

/** Its lists have additions and removals in one: what the operation refuses names the list. */
const NAMES: Names<DomainPath> = {
  ...DOMAIN_CHANGE_NAMES,
  contacts: 'domain.contacts',
  'add.contacts.#': 'domain.contacts',
  'remove.contacts.#': 'domain.contacts',
  nameservers: 'domain.nameservers',
  'add.nameservers.#': 'domain.nameservers',
  'add.nameservers.#.hostname': 'domain.nameservers',
  'add.nameservers.#.ipv4': 'domain.nameservers',
  'add.nameservers.#.ipv6': 'domain.nameservers',
  'add.nameservers.#.ipv4.#': 'domain.nameservers',
  'add.nameservers.#.ipv6.#': 'domain.nameservers',
  'remove.nameservers.#': 'domain.nameservers',
  dnsKeys: 'domain.dns_keys',
  'add.dnsKeys.#': 'domain.dns_keys',
  'add.dnsKeys.#.flags': 'domain.dns_keys',
  'add.dnsKeys.#.protocol': 'domain.dns_keys',
  'add.dnsKeys.#.alg': 'domain.dns_keys',
  'add.dnsKeys.#.publicKey': 'domain.dns_keys',
  'remove.dnsKeys.#': 'domain.dns_keys',
};

/** What cannot be read names the item. */
const READ_NAMES: Names<DomainPath> = {
  ...DOMAIN_CHANGE_NAMES,
  'nameservers.#': 'domain.nameservers.#',
  'nameservers.#.hostname': 'domain.nameservers.#.hostname',
  'nameservers.#.ipv4': 'domain.nameservers.#.ipv4',
  'nameservers.#.ipv6': 'domain.nameservers.#.ipv6',
  'nameservers.#.ipv4.#': 'domain.nameservers.#.ipv4.#',
  'nameservers.#.ipv6.#': 'domain.nameservers.#.ipv6.#',
  'dnsKeys.#': 'domain.dns_keys.#',
  'dnsKeys.#.flags': 'domain.dns_keys.#.flags',
  'dnsKeys.#.protocol': 'domain.dns_keys.#.protocol',
  'dnsKeys.#.alg': 'domain.dns_keys.#.alg',
  'dnsKeys.#.publicKey': 'domain.dns_keys.#.public_key',
};
