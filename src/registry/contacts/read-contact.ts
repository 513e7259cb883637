import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import {
  compactJsonb,
  compactList,
  compactObject,
  type Fragment,
  type Inserted,
  isoTime,
  sql,
} from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { refuseMissing } from '../removed.ts';
import { searchKey } from './contact-fields.ts';

/** The document's contact object, built by PostgreSQL for a row `c` of contacts to which contactLinks is joined. */
export const CONTACT_OBJECT: Fragment = compactObject(sql`
    c.code,
    c.name,
    ${compactObject(sql`c.ident as code, c.ident_type as type, c.ident_country_code as country_code`)} as ident,
    c.email,
    c.phone,
    c.auth_info,
    case when c.statuses <> '{}' then ${compactJsonb(sql`c.statuses || case when links.total > 0 then '{"linked": null}' else '{}'::jsonb end`)}
      when links.total > 0 then '{"ok":null,"linked":null}'
      else '{"ok":null}' end as statuses,
    c.disclosed_attributes,
    (select ${compactObject(sql`r.name, r.website`)} from registrars r where r.id = c.registrar_id) as registrar,
    coalesce(links.domains, '[]') as domains,
    links.total as domains_count`);

const EXPIRE_TIME = isoTime(sql`d.expire_time`);

/**
 * Joins `links`: how many domains use a contact `c`, and the first of them with the contact's roles. Counting uses
 * index-only scans; domain rows are read only as far as they are shown.
 */
export const contactLinks = (domainsShown: Inserted): Fragment => sql`cross join lateral (
    select coalesce(max(used.total), 0) as total,
      ${compactList(compactObject(sql`d.name, used.roles, ${EXPIRE_TIME} as expire_time`), sql`d.name`)} as domains
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
  select ${compactObject(sql`c.code, c.name`)}::text as contact
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
  readonly address: string | null;
  readonly statuses: readonly string[];
  /** What it lets the registry publish where the policy leaves that to the contact. */
  readonly disclosedAttributes: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The first hundred, each with the contact's roles. */
  readonly domains: readonly string[];
};

/** One contact as operators see it: everything but its auth_info. */
export async function showContact(db: Sql, code: string): Promise<ContactView | undefined> {
  return db.maybe(sql<ContactView>`
    select c.code, r.code as registrar, c.name, c.email, c.phone, concat_ws(' ', c.ident, c.ident_type, c.ident_country_code) as ident,
      case when c.city is not null then
        concat_ws(', ', array_to_string(c.street, ', '), concat_ws(' ', c.postal_code, c.city), c.state, c.country_code) end as address,
      array(select jsonb_object_keys(c.statuses) order by 1) as statuses,
      c.disclosed_attributes as "disclosedAttributes", c.created_at as "createdAt", c.updated_at as "updatedAt",
      array(
        select used.name || ' (' || used.role || ')' from (
          select d.name, 'registrant' as role from domains d where d.registrant_id = c.id
          union all select d.name, l.role from domain_contacts l join domains d on d.id = l.domain_id where l.contact_id = c.id) used
        order by used.name, used.role limit ${MAX_DOMAINS}) as domains
    from contacts c join registrars r on r.id = c.registrar_id where c.code_key = ${searchKey(code)}`);
}
