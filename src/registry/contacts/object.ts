import { type Fragment, type Inserted, isoTime, sql } from '../../platform/sql/statement.ts';
/** The document's contact object, built by PostgreSQL for a row `c` of contacts to which contactLinks is joined. */
export const CONTACT_OBJECT: Fragment = sql`json_build_object(
    'code', c.code,
    'name', c.name,
    'ident', json_build_object('code', c.ident, 'type', c.ident_type, 'country_code', c.ident_country_code),
    'email', c.email,
    'phone', c.phone,
    'auth_info', c.auth_info,
    'statuses', case when c.statuses = '{}' then '{"ok": null}' else c.statuses end
      || case when links.total > 0 then '{"linked": null}' else '{}'::jsonb end,
    'disclosed_attributes', to_json(c.disclosed_attributes),
    'registrar', (select json_build_object('name', r.name, 'website', r.website) from registrars r where r.id = c.registrar_id),
    'domains', coalesce(links.domains, '[]'),
    'domains_count', links.total)`;

const EXPIRE_TIME = isoTime(sql`d.expire_time`);

/**
 * Joins `links`: how many domains use a contact `c`, and the first of them with what the contact is to each.
 * What is counted is read from indexes alone; the domains themselves only as far as they are shown.
 */
export const contactLinks = (domainsShown: Inserted): Fragment => sql`cross join lateral (
    select coalesce(max(used.total), 0) as total,
      json_agg(json_build_object('name', d.name, 'roles', used.roles, 'expire_time', ${EXPIRE_TIME}) order by d.name) as domains
    from (
      select domain_id, array_agg(role order by place) as roles, count(*) over () as total
      from (
        select id as domain_id, 1 as place, 'Registrant' as role from domains where registrant_id = c.id
        union all
        select domain_id, case role when 'admin' then 2 else 3 end, case role when 'admin' then 'AdminDomainContact' else 'TechDomainContact' end
        from domain_contacts where contact_id = c.id) as link
      group by domain_id order by domain_id limit ${domainsShown}) as used
    cross join lateral (select name, expire_time from domains where id = used.domain_id offset 0) as d) as links`;
