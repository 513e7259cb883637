import type { Fragment, Sql } from '../../platform/database/database.ts';
import { found } from '../../platform/database/found.ts';
import { isoTime } from '../../platform/database/time.ts';
import type { Principal } from '../actor.ts';

/**
 * The document's domain object, built by PostgreSQL for a row `d` of domains. Who is not the sponsor sees
 * neither the transfer code nor the names of the contacts.
 */
export function domainObject(
  sql: Sql,
  { registrarId }: Principal,
  now: Date,
  { withCode }: { readonly withCode: boolean },
): Fragment {
  const mine = sql`d.registrar_id = ${registrarId}`;
  return sql`(select row_to_json(o) from (select
    d.name,
    (select json_build_object('name', c.name, 'code', c.code) from contacts c where c.id = d.registrant_id) as registrant,
    ${isoTime(sql, sql`d.created_at`)} as created_at,
    ${isoTime(sql, sql`d.updated_at`)} as updated_at,
    ${isoTime(sql, sql`d.expire_time`)} as expire_time,
    ${isoTime(sql, sql`d.outzone_at`)} as outzone_at,
    d.delete_date,
    d.force_delete_date,
    (select coalesce(json_agg(case when ${mine}
        then json_build_object('code', c.code, 'type', t.type, 'name', c.name)
        else json_build_object('code', c.code, 'type', t.type) end order by t.type, c.id), '[]')
      from domain_contacts l join contacts c on c.id = l.contact_id
      cross join lateral (select case l.role when 'admin' then 'AdminDomainContact' else 'TechDomainContact' end as type) as t
      where l.domain_id = d.id) as contacts,
    (select coalesce(json_agg(json_build_object('id', n.id, 'hostname', n.hostname, 'ipv4', n.ipv4, 'ipv6', n.ipv6) order by n.id), '[]')
      from domain_nameservers n where n.domain_id = d.id) as nameservers,
    (select coalesce(json_agg(json_build_object('id', k.id, 'flags', k.flags, 'protocol', k.protocol, 'alg', k.alg, 'public_key', k.public_key) order by k.id), '[]')
      from domain_keys k where k.domain_id = d.id) as dnssec_keys,
    ${shownStatuses(sql)} as statuses,
    (select json_build_object('name', r.name, 'website', r.website) from registrars r where r.id = d.registrar_id) as registrar,
    x.disputed as dispute
    ${withCode ? sql`, d.transfer_code` : sql``}
    from (select ${found(sql, sql`select true from disputes x where x.name = d.name and x.closed_at is null and x.starts_at <= ${now} and x.expires_at > ${now}`)} as disputed) as x
  ) as o)`;
}

/** The stored statuses and those that follow from the domain's state; `ok` only where there is no other. */
const shownStatuses = (sql: Sql): Fragment => sql`coalesce(nullif(
    d.statuses
      || case when x.disputed then '{"disputed": ""}' else '{}'::jsonb end
      || case when ${found(sql, sql`select true from domain_nameservers n where n.domain_id = d.id`)} then '{}'::jsonb else '{"inactive": ""}' end,
    '{}'::jsonb), '{"ok": ""}'::jsonb)`;
