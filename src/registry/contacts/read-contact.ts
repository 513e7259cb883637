import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, type Inserted, isoTime, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { refuseMissing } from '../removed.ts';
import { isContactCode, searchKey } from './contact-fields.ts';

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
 * Joins `links`: how many domains use a contact `c`, and the first of them with the contact's roles. Counting uses
 * index-only scans; domain rows are read only as far as they are shown.
 */
export const contactLinks = (domainsShown: Inserted): Fragment => sql`cross join lateral (
    select coalesce(max(used.total), 0) as total,
      json_agg(json_build_object('name', d.name, 'roles', used.roles, 'expire_time', ${EXPIRE_TIME}) order by d.name) as domains
    from (
      select domain_id, array_agg(role order by position) as roles, count(*) over () as total
      from (
        select id as domain_id, 1 as position, 'Registrant' as role from domains where registrant_id = c.id
        union all
        select domain_id, case role when 'admin' then 2 else 3 end, case role when 'admin' then 'AdminDomainContact' else 'TechDomainContact' end
        from domain_contacts where contact_id = c.id) as link
      group by domain_id order by domain_id limit ${domainsShown}) as used
    cross join lateral (select name, expire_time from domains where id = used.domain_id offset 0) as d) as links`;

type Row = { contact: string };

const find = batchedLookup<Row, 'key' | 'registrarId' | 'domainsShown'>(
  { key: 'text', registrarId: 'bigint', domainsShown: 'int' },
  (params) => sql<Row>`
  select ${CONTACT_OBJECT}::text as contact from contacts c ${contactLinks(params.domainsShown)}
  where c.code_key = ${params.key} and c.registrar_id = ${params.registrarId}`,
);

const findSimple = batchedLookup<Row, 'key' | 'registrarId'>(
  { key: 'text', registrarId: 'bigint' },
  (params) => sql<Row>`
  select json_build_object('code', c.code, 'name', c.name)::text as contact
  from contacts c where c.code_key = ${params.key} and c.registrar_id = ${params.registrarId}`,
);

/** The contact as JSON text; refuses one of another registrar. */
export async function readContact(
  db: Sql,
  code: string,
  { contacts: { domainsShown } }: Policy,
  principal: Principal,
): Promise<string> {
  const row = await find(db, { key: searchKey(code), registrarId: principal.registrarId, domainsShown });
  return row?.contact ?? refuseMissing(db, 'contact', searchKey(code), principal);
}

/** Only code and name. */
export async function readSimpleContact(db: Sql, code: string, principal: Principal): Promise<string> {
  const row = await findSimple(db, { key: searchKey(code), registrarId: principal.registrarId });
  return row?.contact ?? refuseMissing(db, 'contact', searchKey(code), principal);
}

const MAX_DOMAINS = 100;

export type ContactView = {
  readonly code: string;
  readonly registrar: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly ident: string;
  readonly statuses: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The first hundred, each with the contact's roles. */
  readonly domains: readonly string[];
};

/** One contact as operators see it: everything but its auth_info. */
export async function showContact(db: Sql, code: string): Promise<ContactView | undefined> {
  return db.maybe(sql<ContactView>`
    select c.code, r.code as registrar, c.name, c.email, c.phone, concat_ws(' ', c.ident, c.ident_type, c.ident_country_code) as ident,
      array(select jsonb_object_keys(c.statuses) order by 1) as statuses, c.created_at as "createdAt", c.updated_at as "updatedAt",
      array(
        select used.name || ' (' || used.role || ')' from (
          select d.name, 'registrant' as role from domains d where d.registrant_id = c.id
          union all select d.name, l.role from domain_contacts l join domains d on d.id = l.domain_id where l.contact_id = c.id) used
        order by used.name, used.role limit ${MAX_DOMAINS}) as domains
    from contacts c join registrars r on r.id = c.registrar_id where c.code_key = ${searchKey(code)}`);
}

/** Whether a new contact could have this code. */
export async function isContactCodeFree(db: Sql, code: string, policy: Policy): Promise<boolean> {
  if (!isContactCode(code, policy)) return false;
  const row = await db.one(sql<{ free: boolean }>`
    select not exists (select from contacts where code_key = ${searchKey(code)}) as free`);
  return row.free;
}
