import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { refuseMissing } from '../removed.ts';
import { searchKey } from './contact-fields.ts';
import { joinLinks, type WrittenLinks } from './contact-links.ts';

/** How an interface writes a contact as JSON; with `links` where it shows the domains of the contact. */
export type WrittenContact = {
  readonly contact: Fragment;
  readonly links?: WrittenLinks;
};

/** Reads a contact of the caller as JSON text; refuses one of another registrar. */
export function contactReader({ contact, links }: WrittenContact) {
  const find = batchedLookup<{ contact: string }, 'key' | 'registrarId' | 'domainsShown'>(
    { key: 'text', registrarId: 'bigint', domainsShown: 'int' },
    ({ key, registrarId, domainsShown }) => sql`
  select ${contact}::text as contact from contacts c ${links ? joinLinks(domainsShown, links) : sql``}
  where c.code_key = ${key} and c.registrar_id = ${registrarId}`,
  );
  return async (
    db: Sql,
    code: string,
    { contacts: { domainsShown } }: Policy,
    principal: Principal,
  ): Promise<string> => {
    const key = searchKey(code);
    const row = await find(db, { key, registrarId: principal.registrarId, domainsShown });
    return row?.contact ?? refuseMissing(db, 'contact', key, principal);
  };
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
