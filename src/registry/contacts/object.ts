import type { Text } from '../../platform/database/statement.ts';
import { isoTime } from '../../platform/database/time.ts';

/** The members of the document's contact object but its domains, for a row `c` of contacts. */
export const contactMembers = (linked: string): Text => `
    'code', c.code,
    'name', c.name,
    'ident', json_build_object('code', c.ident, 'type', c.ident_type, 'country_code', c.ident_country_code),
    'email', c.email,
    'phone', c.phone,
    'auth_info', c.auth_info,
    'statuses', case when c.statuses = '{}' then '{"ok": null}' else c.statuses end
      || case when ${linked} then '{"linked": null}' else '{}'::jsonb end,
    'disclosed_attributes', to_json(c.disclosed_attributes),
    'registrar', (select json_build_object('name', r.name, 'website', r.website) from registrars r where r.id = c.registrar_id)`;

/** The first of the linked domains, with what the contact is to each. */
export const LINKED_DOMAINS: Text<'domainsShown'> = `(
    select coalesce(json_agg(json_build_object(
        'name', d.name, 'roles', shown.roles, 'expire_time', ${isoTime('d.expire_time')}) order by d.name), '[]')
    from unnest(links.domain_ids[1 : :domainsShown]) as first(domain_id)
    join domains d on d.id = first.domain_id
    cross join lateral (
      select array_agg(role order by place) as roles from (
        select 1 as place, 'Registrant' as role where d.registrant_id = c.id
        union all
        select case dc.role when 'admin' then 2 else 3 end, case dc.role when 'admin' then 'AdminDomainContact' else 'TechDomainContact' end
        from domain_contacts dc where dc.domain_id = d.id and dc.contact_id = c.id) as held) as shown)`;

/** The whole object, where CONTACT_LINKS is joined to the row. */
export const CONTACT_OBJECT: Text<'domainsShown'> = `json_build_object(
    ${contactMembers('links.total > 0')},
    'domains', ${LINKED_DOMAINS},
    'domains_count', links.total)`;

/** Joins `links`: the domains that use a contact `c`, oldest first. */
export const CONTACT_LINKS = `cross join lateral (
    select count(*) as total, array_agg(domain_id order by domain_id) as domain_ids from (
      select id as domain_id from domains where registrant_id = c.id
      union
      select domain_id from domain_contacts where contact_id = c.id) as used) as links`;
