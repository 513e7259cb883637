import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Context } from '../operation.ts';
import { refuse } from '../refusals.ts';
import { refuseMissing } from '../removed.ts';

type Part = 'contacts' | 'nameservers' | 'keys';

/** One part of a domain of the caller, as the JSON text of `data`. */
export async function readDomainPart(
  db: Sql,
  name: string,
  part: Part,
  { principal }: Pick<Context, 'principal'>,
): Promise<string> {
  const row = await db.maybe(sql<{ data: string; registrarId: number }>`
    select ${parts[part]()}::text as data, d.registrar_id as "registrarId" from domains d where d.name = ${name}`);
  if (!row) return refuseMissing(db, 'domain', name, principal);
  return row.registrarId === principal.registrarId ? row.data : refuse('notSponsor');
}

const codes = (role: string): Fragment => sql`(
  select coalesce(json_agg(c.code order by c.id), '[]') from domain_contacts l join contacts c on c.id = l.contact_id
  where l.domain_id = d.id and l.role = ${role})`;

const parts: Readonly<Record<Part, () => Fragment>> = {
  contacts: () =>
    sql`json_build_object('admin_contacts', ${codes('admin')}, 'tech_contacts', ${codes('tech')})`,
  nameservers: () => sql`json_build_object('nameservers', (
    select coalesce(json_agg(json_build_object('hostname', n.hostname, 'ipv4', n.ipv4, 'ipv6', n.ipv6) order by n.id), '[]')
    from domain_nameservers n where n.domain_id = d.id))`,
  keys: () => sql`json_build_object('dns_keys', (
    select coalesce(json_agg(json_build_object('flags', k.flags, 'protocol', k.protocol, 'alg', k.alg, 'public_key', k.public_key) order by k.id), '[]')
    from domain_keys k where k.domain_id = d.id))`,
};
