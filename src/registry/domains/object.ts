import type { Text } from '../../platform/database/statement.ts';
import { isoTime } from '../../platform/database/time.ts';

/** Whether somebody disputes the name of a row `d` of domains now. */
const DISPUTED: Text<'now'> = `coalesce((
  select true from disputes x where x.name = d.name and x.closed_at is null and x.starts_at <= :now and x.expires_at > :now limit 1), false)`;

/** The nameservers of the domain, or null where it has none. */
const NAMESERVERS = `(
  select json_agg(json_build_object('id', n.id, 'hostname', n.hostname, 'ipv4', n.ipv4, 'ipv6', n.ipv6) order by n.id)
  from domain_nameservers n where n.domain_id = d.id)`;

const CONTACT_TYPE = "case l.role when 'admin' then 'AdminDomainContact' else 'TechDomainContact' end";

/** The stored statuses and those that follow from the domain's state; `ok` only where there is no other. */
const STATUSES = `coalesce(nullif(
    d.statuses
      || case when state.disputed then '{"disputed": ""}' else '{}'::jsonb end
      || case when state.nameservers is null then '{"inactive": ""}' else '{}'::jsonb end,
    '{}'::jsonb), '{"ok": ""}'::jsonb)`;

/**
 * The document's domain object, built by PostgreSQL for a row `d` of domains. Who is not the sponsor sees
 * neither the transfer code nor the names of the contacts; a column to go with it may be named.
 */
export const domainObject = (
  further = '',
): Text<'now' | 'registrarId'> => `(select row_to_json(o) from (select
    d.name,
    (select json_build_object('name', c.name, 'code', c.code) from contacts c where c.id = d.registrant_id) as registrant,
    ${isoTime('d.created_at')} as created_at,
    ${isoTime('d.updated_at')} as updated_at,
    ${isoTime('d.expire_time')} as expire_time,
    ${isoTime('d.outzone_at')} as outzone_at,
    d.delete_date,
    d.force_delete_date,
    (select coalesce(json_agg(case when d.registrar_id = :registrarId
        then json_build_object('code', c.code, 'type', ${CONTACT_TYPE}, 'name', c.name)
        else json_build_object('code', c.code, 'type', ${CONTACT_TYPE}) end order by l.role, c.id), '[]')
      from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id) as contacts,
    coalesce(state.nameservers, '[]') as nameservers,
    (select coalesce(json_agg(json_build_object('id', k.id, 'flags', k.flags, 'protocol', k.protocol, 'alg', k.alg, 'public_key', k.public_key) order by k.id), '[]')
      from domain_keys k where k.domain_id = d.id) as dnssec_keys,
    ${STATUSES} as statuses,
    (select json_build_object('name', r.name, 'website', r.website) from registrars r where r.id = d.registrar_id) as registrar,
    state.disputed as dispute
    ${further}
    from (select ${DISPUTED} as disputed, ${NAMESERVERS} as nameservers offset 0) as state
  ) as o)`;
