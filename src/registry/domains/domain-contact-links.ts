import { type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
import { type Part, part, parts } from '../../platform/sql/with.ts';
import type { DnsKey } from './rules/dnssec-keys.ts';
import type { Domain, LinkIds } from './domain.ts';
import type { Nameserver } from './rules/parse-nameservers.ts';

type Links = Pick<Domain, 'contacts' | 'nameservers' | 'dnsKeys'>;
type Kind = 'contacts' | 'nameservers' | 'keys';
export type LinksOfDomain = Links & { readonly name: string };

/** Parts of a persisting statement: the links of the domains (id, name) of the part called `changed`. */
export function addLinks(domains: readonly LinksOfDomain[]): Part<`${Kind}_added`, 'changed'> {
  const contacts = each(domains, 'contacts');
  const nameservers = each(domains, 'nameservers');
  const dnsKeys = each(domains, 'dnsKeys');
  return parts(
    whereAny(
      contacts,
      'contacts_added',
      sql`
      insert into domain_contacts (domain_id, contact_id, role)
      select changed.id, l.contact_id, l.role
      from unnest(${contacts.map(({ of }) => of)}::text[], ${contacts.map(({ id }) => id)}::bigint[], ${contacts.map(({ role }) => role)}::text[]) as l(name, contact_id, role)
      join changed on changed.name = l.name`,
    ),
    whereAny(
      nameservers,
      'nameservers_added',
      sql`
      insert into domain_nameservers (domain_id, hostname, ipv4, ipv6)
      select changed.id, n.hostname, string_to_array(n.ipv4, ' '), string_to_array(n.ipv6, ' ')
      from unnest(${nameservers.map(({ of }) => of)}::text[], ${nameservers.map(({ hostname }) => hostname)}::text[], ${nameservers.map(({ ipv4 }) => ipv4.join(' '))}::text[],
        ${nameservers.map(({ ipv6 }) => ipv6.join(' '))}::text[]) with ordinality as n(name, hostname, ipv4, ipv6, position)
      join changed on changed.name = n.name order by n.position
      returning id`,
    ),
    whereAny(
      dnsKeys,
      'keys_added',
      sql`
      insert into domain_keys (domain_id, flags, protocol, alg, public_key, key_tag, digest_type, digest)
      select changed.id, k.flags, k.protocol, k.alg, k.public_key, k.key_tag, k.digest_type, k.digest
      from unnest(${dnsKeys.map(({ of }) => of)}::text[], ${dnsKeys.map(({ flags }) => flags)}::int[], ${dnsKeys.map(({ protocol }) => protocol)}::int[],
        ${dnsKeys.map(({ alg }) => alg)}::int[], ${dnsKeys.map(({ publicKey }) => publicKey)}::text[], ${dnsKeys.map(({ keyTag }) => keyTag)}::int[],
        ${dnsKeys.map(({ digestType }) => digestType)}::int[], ${dnsKeys.map(({ digest }) => digest)}::text[])
        with ordinality as k(name, flags, protocol, alg, public_key, key_tag, digest_type, digest, position)
      join changed on changed.name = k.name order by k.position
      returning id`,
    ),
  );
}

type AddedIds = {
  readonly unchanged: unknown;
  readonly nameservers: readonly number[] | null;
  readonly keys: readonly number[] | null;
};

/** Ends a registration as `requireRows` does, with the ids of what it has added to the domains. */
export const requireChargedWithIds = (domains: readonly LinksOfDomain[]): Statement<AddedIds> => {
  const idsOf = (kind: 'nameservers' | 'dnsKeys', added: Fragment) =>
    domains.some((domain) => domain[kind].length > 0)
      ? sql`(select json_agg(id) from ${added})`
      : sql`null::json`;
  return sql<AddedIds>`
    select require_unchanged(count(*) = ${domains.length}) as unchanged, ${idsOf('nameservers', sql`nameservers_added`)} as nameservers,
      ${idsOf('dnsKeys', sql`keys_added`)} as keys
    from charged`;
};

/** The same by hostname and by key, for each of the domains. */
export function linkIdsOf(domains: readonly LinksOfDomain[], { nameservers, keys }: AddedIds): LinkIds[] {
  // Rows are inserted in their order, and ids grow.
  const [hostIds, keyIds] = [nameservers ?? [], keys ?? []].map((ids) =>
    ids.toSorted((one, other) => one - other),
  );
  return domains.map((domain) => ({
    nameservers: new Map(domain.nameservers.map(({ hostname }) => [hostname, hostIds?.shift() ?? 0])),
    dnsKeys: new Map(domain.dnsKeys.map(({ publicKey }) => [publicKey, keyIds?.shift() ?? 0])),
  }));
}

export function removeLinks(domains: readonly LinksOfDomain[]): Part<`${Kind}_removed`, 'changed'> {
  const contacts = each(domains, 'contacts');
  const nameservers = each(domains, 'nameservers');
  const dnsKeys = each(domains, 'dnsKeys');
  return parts(
    whereAny(
      contacts,
      'contacts_removed',
      sql`
      delete from domain_contacts l
      using changed, unnest(${contacts.map(({ of }) => of)}::text[], ${contacts.map(({ id }) => id)}::bigint[], ${contacts.map(({ role }) => role)}::text[]) as gone(name, contact_id, role)
      where changed.name = gone.name and l.domain_id = changed.id and l.contact_id = gone.contact_id and l.role = gone.role`,
    ),
    whereAny(
      nameservers,
      'nameservers_removed',
      sql`
      delete from domain_nameservers n
      using changed, unnest(${nameservers.map(({ of }) => of)}::text[], ${nameservers.map(({ hostname }) => hostname)}::text[]) as gone(name, hostname)
      where changed.name = gone.name and n.domain_id = changed.id and n.hostname = gone.hostname`,
    ),
    whereAny(
      dnsKeys,
      'keys_removed',
      sql`
      delete from domain_keys k
      using changed, unnest(${dnsKeys.map(({ of }) => of)}::text[], ${dnsKeys.map(({ publicKey }) => publicKey)}::text[]) as gone(name, public_key)
      where changed.name = gone.name and k.domain_id = changed.id and k.public_key = gone.public_key`,
    ),
  );
}

/** A host or a key that was removed and added again with other values is updated: it must not be there twice. */
export function changeLinks(
  changes: readonly { readonly before: LinksOfDomain; readonly after: LinksOfDomain }[],
): Part<'nameservers_changed' | 'keys_changed', 'changed'> {
  const nameservers = changes.flatMap(({ before, after }) =>
    after.nameservers
      .filter((one) =>
        before.nameservers.some((was) => was.hostname === one.hostname && !isSameHost(was, one)),
      )
      .map((one) => ({ ...one, of: after.name })),
  );
  const dnsKeys = changes.flatMap(({ before, after }) =>
    after.dnsKeys
      .filter((one) => before.dnsKeys.some((was) => was.publicKey === one.publicKey && !isSameKey(was, one)))
      .map((one) => ({ ...one, of: after.name })),
  );
  return parts(
    whereAny(
      nameservers,
      'nameservers_changed',
      sql`
      update domain_nameservers n set ipv4 = string_to_array(w.ipv4, ' '), ipv6 = string_to_array(w.ipv6, ' ')
      from changed, unnest(${nameservers.map(({ of }) => of)}::text[], ${nameservers.map(({ hostname }) => hostname)}::text[],
        ${nameservers.map(({ ipv4 }) => ipv4.join(' '))}::text[], ${nameservers.map(({ ipv6 }) => ipv6.join(' '))}::text[]) as w(name, hostname, ipv4, ipv6)
      where changed.name = w.name and n.domain_id = changed.id and n.hostname = w.hostname`,
    ),
    whereAny(
      dnsKeys,
      'keys_changed',
      sql`
      update domain_keys k set flags = w.flags, protocol = w.protocol, alg = w.alg, key_tag = w.key_tag, digest_type = w.digest_type, digest = w.digest
      from changed, unnest(${dnsKeys.map(({ of }) => of)}::text[], ${dnsKeys.map(({ publicKey }) => publicKey)}::text[], ${dnsKeys.map(({ flags }) => flags)}::int[],
        ${dnsKeys.map(({ protocol }) => protocol)}::int[], ${dnsKeys.map(({ alg }) => alg)}::int[], ${dnsKeys.map(({ keyTag }) => keyTag)}::int[],
        ${dnsKeys.map(({ digestType }) => digestType)}::int[], ${dnsKeys.map(({ digest }) => digest)}::text[])
        as w(name, public_key, flags, protocol, alg, key_tag, digest_type, digest)
      where changed.name = w.name and k.domain_id = changed.id and k.public_key = w.public_key`,
    ),
  );
}

const isSameHost = (one: Nameserver, other: Nameserver): boolean =>
  one.ipv4.join(' ') === other.ipv4.join(' ') && one.ipv6.join(' ') === other.ipv6.join(' ');
const isSameKey = (one: DnsKey, other: DnsKey): boolean =>
  one.flags === other.flags && one.protocol === other.protocol && one.alg === other.alg;

const whereAny = <const Name extends string>(links: readonly unknown[], name: Name, body: Statement) =>
  links.length === 0 ? undefined : part(name, ['changed'], body);

/** The links of one kind of all domains, each with its domain's name. */
function each<Kind extends keyof Links>(domains: readonly LinksOfDomain[], kind: Kind) {
  return domains.flatMap((domain) =>
    (domain[kind] as readonly Links[Kind][number][]).map((link) => ({ ...link, of: domain.name })),
  );
}

/** The links in `value` that are not in `other`. */
export function linksMissingIn(value: LinksOfDomain, other: Links): LinksOfDomain {
  return {
    name: value.name,
    contacts: value.contacts.filter(
      ({ id, role }) => !other.contacts.some((item) => item.id === id && item.role === role),
    ),
    nameservers: value.nameservers.filter(
      ({ hostname }) => !other.nameservers.some((item) => item.hostname === hostname),
    ),
    dnsKeys: value.dnsKeys.filter(
      ({ publicKey }) => !other.dnsKeys.some((item) => item.publicKey === publicKey),
    ),
  };
}
