import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Domain } from './domain.ts';

type Links = Pick<Domain, 'contacts' | 'nameservers' | 'dnsKeys'>;

/** Parts of a persisting statement: whatever hangs on the domain (id) of the part called `changed`; each ends in a comma. */
export function addLinks(sql: Sql, { contacts, nameservers, dnsKeys }: Links): Fragment {
  return sql`
    ${
      contacts.length === 0
        ? sql``
        : sql`contacts_added as (
      insert into domain_contacts (domain_id, contact_id, role)
      select changed.id, l.contact_id, l.role from changed
      cross join unnest(${contacts.map(({ id }) => id)}::bigint[], ${contacts.map(({ role }) => role)}::text[]) as l(contact_id, role)),`
    }
    ${
      nameservers.length === 0
        ? sql``
        : sql`nameservers_added as (
      insert into domain_nameservers (domain_id, hostname, ipv4, ipv6)
      select changed.id, n.hostname, string_to_array(n.ipv4, ' '), string_to_array(n.ipv6, ' ') from changed
      cross join unnest(${nameservers.map(({ hostname }) => hostname)}::text[], ${nameservers.map(({ ipv4 }) => ipv4.join(' '))}::text[],
        ${nameservers.map(({ ipv6 }) => ipv6.join(' '))}::text[]) with ordinality as n(hostname, ipv4, ipv6, place) order by n.place),`
    }
    ${
      dnsKeys.length === 0
        ? sql``
        : sql`keys_added as (
      insert into domain_keys (domain_id, flags, protocol, alg, public_key, key_tag, digest_type, digest)
      select changed.id, k.flags, k.protocol, k.alg, k.public_key, k.key_tag, k.digest_type, k.digest from changed
      cross join unnest(${dnsKeys.map(({ flags }) => flags)}::int[], ${dnsKeys.map(({ protocol }) => protocol)}::int[], ${dnsKeys.map(({ alg }) => alg)}::int[],
        ${dnsKeys.map(({ publicKey }) => publicKey)}::text[], ${dnsKeys.map(({ keyTag }) => keyTag)}::int[],
        ${dnsKeys.map(({ digestType }) => digestType)}::int[], ${dnsKeys.map(({ digest }) => digest)}::text[])
        with ordinality as k(flags, protocol, alg, public_key, key_tag, digest_type, digest, place) order by k.place),`
    }`;
}

export function removeLinks(sql: Sql, { contacts, nameservers, dnsKeys }: Links): Fragment {
  return sql`
    ${
      contacts.length === 0
        ? sql``
        : sql`contacts_removed as (
      delete from domain_contacts l using changed, unnest(${contacts.map(({ id }) => id)}::bigint[], ${contacts.map(({ role }) => role)}::text[]) as gone(contact_id, role)
      where l.domain_id = changed.id and l.contact_id = gone.contact_id and l.role = gone.role),`
    }
    ${
      nameservers.length === 0
        ? sql``
        : sql`nameservers_removed as (
      delete from domain_nameservers n using changed
      where n.domain_id = changed.id and n.hostname = any(${nameservers.map(({ hostname }) => hostname)}::text[])),`
    }
    ${
      dnsKeys.length === 0
        ? sql``
        : sql`keys_removed as (
      delete from domain_keys k using changed
      where k.domain_id = changed.id and k.public_key = any(${dnsKeys.map(({ publicKey }) => publicKey)}::text[])),`
    }`;
}

/** What one value has and the other has not. */
export function linksBeyond(value: Links, other: Links): Links {
  return {
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
