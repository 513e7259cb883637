import { nameOf } from '../../platform/sql/json-text.ts';
import { compactList, constant, type Fragment, type Inserted, sql } from '../../platform/sql/statement.ts';
import type { ContactRole } from '../domains/domain.ts';

/** A domain that uses a contact. */
const LINKED_DOMAIN = {
  id: sql`d.id`,
  name: sql`d.name`,
  sponsorName: sql`(select r.name from registrars r where r.id = d.registrar_id)`,
  expireTime: sql`d.expire_time`,
  roles: sql`used.roles`,
};

/** How an interface writes the domains of a contact, and the roles that the contact has in each. */
export type WrittenLinks = {
  readonly domains: Fragment;
  readonly role: Fragment;
};
export const writtenLinks = (
  roles: Readonly<Record<'registrant' | ContactRole, string>>,
  write: (domain: typeof LINKED_DOMAIN) => Fragment,
): WrittenLinks => ({
  domains: constant(compactList(write(LINKED_DOMAIN), sql`d.name`)),
  role: constant(nameOf(sql`role`, roles)),
});

/** What a contact shows of the row `links` that is joined to it. */
export const LINKS = {
  domains: sql`coalesce(links.domains, '[]')`,
  total: sql`links.total`,
  isLinked: sql`links.total > 0`,
};

/**
 * Joins `links`: how many domains use a contact `c`, and the first of them with the contact's roles. Counting uses
 * index-only scans; domain rows are read only as far as they are shown.
 */
export const joinLinks = (
  domainsShown: Inserted,
  { domains, role }: WrittenLinks,
): Fragment => sql`cross join lateral (
    select coalesce(max(used.total), 0) as total,
      ${domains} as domains
    from (
      select domain_id, array_agg(${role} order by position) as roles, count(*) over () as total
      from (
        select id as domain_id, 1 as position, 'registrant' as role from domains where registrant_id = c.id
        union all
        select domain_id, case role when 'admin' then 2 else 3 end, role from domain_contacts where contact_id = c.id) as link
      group by domain_id order by domain_id limit ${domainsShown}) as used
    cross join lateral (select id, name, registrar_id, expire_time from domains where id = used.domain_id offset 0) as d) as links`;
