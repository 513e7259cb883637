import type { Sql } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { refuse } from '../refusals.ts';
import { searchKey } from './fields.ts';
import { contactLinks, contactMembers, linkedDomains } from './object.ts';

/** The contact as JSON text; refuses what is not this registrar's. Only a contact that is in use costs a second question. */
export async function readContact(
  sql: Sql,
  code: string,
  policy: Policy,
  principal: Principal,
): Promise<string> {
  const [row] = await sql<{ id: number; contact: string; linked: boolean }[]>`
    select c.id, json_build_object(${contactMembers(sql, sql`used.linked`)})::text as contact, used.linked
    from contacts c
    cross join lateral (
      select exists (select from domains where registrant_id = c.id) or exists (select from domain_contacts where contact_id = c.id) as linked) as used
    where c.code_key = ${searchKey(code)} and c.registrar_id = ${principal.registrarId}`;
  if (!row) return refuseMissing(sql, code, principal);
  const { count, domains } = row.linked ? await domainsOf(sql, row.id, policy) : { count: 0, domains: '[]' };
  return `${row.contact.slice(0, -1)},"domains":${domains},"domains_count":${count}}`;
}

/** Code and name alone. */
export async function readSimpleContact(sql: Sql, code: string, principal: Principal): Promise<string> {
  const [row] = await sql<{ contact: string }[]>`
    select json_build_object('code', c.code, 'name', c.name)::text as contact
    from contacts c where c.code_key = ${searchKey(code)} and c.registrar_id = ${principal.registrarId}`;
  return row?.contact ?? refuseMissing(sql, code, principal);
}

async function domainsOf(
  sql: Sql,
  contactId: number,
  policy: Policy,
): Promise<{ count: number; domains: string }> {
  const [row] = await sql<{ count: number; domains: string }[]>`
    select links.total as count, ${linkedDomains(sql, policy)}::text as domains
    from contacts c ${contactLinks(sql)} where c.id = ${contactId}`;
  return row ?? { count: 0, domains: '[]' };
}

async function refuseMissing(sql: Sql, code: string, { registrarId }: Principal): Promise<never> {
  const [removed] = await sql`
    select from removed_objects where object_kind = 'contact' and name_key = ${searchKey(code)} and registrar_id = ${registrarId}`;
  return refuse(removed ? 'objectGone' : 'objectMissing');
}
