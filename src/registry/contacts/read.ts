import type { Sql } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { refuse } from '../refusals.ts';
import { searchKey } from './fields.ts';
import { CONTACT_LINKS, contactMembers, LINKED_DOMAINS } from './object.ts';

const find = statement<{ id: number; contact: string; linked: boolean }, 'key' | 'registrarId'>(`
  select c.id, json_build_object(${contactMembers('used.linked')})::text as contact, used.linked
  from contacts c
  cross join lateral (
    select exists (select from domains where registrant_id = c.id) or exists (select from domain_contacts where contact_id = c.id) as linked) as used
  where c.code_key = :key and c.registrar_id = :registrarId`);

const findDomains = statement<{ count: number; domains: string }, 'id' | 'domainsShown'>(`
  select links.total as count, ${LINKED_DOMAINS}::text as domains from contacts c ${CONTACT_LINKS} where c.id = :id`);

const findSimple = statement<{ contact: string }, 'key' | 'registrarId'>(`
  select json_build_object('code', c.code, 'name', c.name)::text as contact
  from contacts c where c.code_key = :key and c.registrar_id = :registrarId`);

/** The contact as JSON text; refuses what is not this registrar's. Only a contact that is in use costs a second question. */
export async function readContact(
  sql: Sql,
  code: string,
  { contacts: { domainsShown } }: Policy,
  principal: Principal,
): Promise<string> {
  const { registrarId } = principal;
  const [row] = await find(sql, { key: searchKey(code), registrarId });
  if (!row) return refuseMissing(sql, code, principal);
  const [links] = row.linked ? await findDomains(sql, { id: row.id, domainsShown }) : [];
  return `${row.contact.slice(0, -1)},"domains":${links?.domains ?? '[]'},"domains_count":${links?.count ?? 0}}`;
}

/** Code and name alone. */
export async function readSimpleContact(sql: Sql, code: string, principal: Principal): Promise<string> {
  const [row] = await findSimple(sql, { key: searchKey(code), registrarId: principal.registrarId });
  return row?.contact ?? refuseMissing(sql, code, principal);
}

async function refuseMissing(sql: Sql, code: string, { registrarId }: Principal): Promise<never> {
  const [removed] = await sql`
    select from removed_objects where object_kind = 'contact' and name_key = ${searchKey(code)} and registrar_id = ${registrarId}`;
  return refuse(removed ? 'objectGone' : 'objectMissing');
}
