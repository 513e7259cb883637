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
import type { Context } from '../operation.ts';
import { refuse } from '../refusals.ts';
import { refuseMissing } from '../removed.ts';

/** Whether the name of a row `d` of domains has an open dispute. */
export const disputed = (now: Inserted): Fragment => sql`coalesce((
  select true from disputes x where x.name = d.name and x.closed_at is null and x.starts_at <= ${now} and x.expires_at > ${now} limit 1), false)`;

/** The nameservers of the domain, or null if it has none. */
export const NAMESERVERS = sql`(
  select ${compactList(compactObject(sql`n.id, n.hostname, n.ipv4, n.ipv6`), sql`n.id`)}
  from domain_nameservers n where n.domain_id = d.id)`;

const CONTACT_TYPE = sql`case l.role when 'admin' then 'AdminDomainContact' else 'TechDomainContact' end`;

/** The stored and the computed statuses; `ok` only if there is no other. They are of a row `state` (disputed, nameservers). */
export const STATUSES = sql`case
    when d.statuses <> '{}' or state.disputed then ${compactJsonb(sql`d.statuses
      || case when state.disputed then '{"disputed": ""}' else '{}'::jsonb end
      || case when state.nameservers is null then '{"inactive": ""}' else '{}'::jsonb end`)}
    when state.nameservers is null then '{"inactive":""}'
    else '{"ok":""}' end`;

const CREATED_AT = isoTime(sql`d.created_at`);
const UPDATED_AT = isoTime(sql`d.updated_at`);
const EXPIRE_TIME = isoTime(sql`d.expire_time`);
const OUTZONE_AT = isoTime(sql`d.outzone_at`);

/**
 * The API's domain object, built by PostgreSQL for a row `d` of domains. Only the sponsor sees the transfer code and
 * the names of the contacts; `further` names an additional column.
 */
export const domainObject = (
  { now, registrarId }: { readonly now: Inserted; readonly registrarId: Inserted },
  further: Fragment = sql``,
): Fragment => sql`(select row_to_json(o) from (select
    d.name,
    (select ${compactObject(sql`c.name, c.code`)} from contacts c where c.id = d.registrant_id) as registrant,
    ${CREATED_AT} as created_at,
    ${UPDATED_AT} as updated_at,
    ${EXPIRE_TIME} as expire_time,
    ${OUTZONE_AT} as outzone_at,
    d.delete_date,
    d.force_delete_date,
    (select coalesce(${compactList(
      sql`case when d.registrar_id = ${registrarId}
        then ${compactObject(sql`c.code, ${CONTACT_TYPE} as type, c.name`)}
        else ${compactObject(sql`c.code, ${CONTACT_TYPE} as type`)} end`,
      sql`l.role, c.id`,
    )}, '[]')
      from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id) as contacts,
    coalesce(state.nameservers, '[]') as nameservers,
    (select coalesce(${compactList(compactObject(sql`k.id, k.flags, k.protocol, k.alg, k.public_key`), sql`k.id`)}, '[]')
      from domain_keys k where k.domain_id = d.id) as dnssec_keys,
    ${STATUSES} as statuses,
    (select ${compactObject(sql`r.name, r.website`)} from registrars r where r.id = d.registrar_id) as registrar,
    state.disputed as dispute
    ${further}
    from (select ${disputed(now)} as disputed, ${NAMESERVERS} as nameservers offset 0) as state
  ) as o)`;

type ReadContext = Pick<Context, 'principal' | 'now'>;

type Row = { domain: string; transferCode: string | null };

const find = batchedLookup<Row, 'name' | 'now' | 'registrarId'>(
  { name: 'text', now: 'timestamptz', registrarId: 'bigint' },
  (params) => sql<Row>`
  select ${domainObject(params)}::text as domain, case when d.registrar_id = ${params.registrarId} then d.transfer_code end as "transferCode"
  from domains d where d.name = ${params.name}`,
);

/** The domain as JSON text for any registrar; only the sponsor gets the transfer code. */
export async function readDomainObject(db: Sql, name: string, context: ReadContext): Promise<string> {
  const { registrarId } = context.principal;
  const row = await find(db, { name, now: context.now.toISOString(), registrarId });
  if (!row) return refuseMissing(db, 'domain', name, context.principal);
  const { domain, transferCode } = row;
  return transferCode === null ? domain : withMember(domain, 'transfer_code', transferCode);
}

/** The transfer code of a domain of the caller; undefined if it has no such domain. */
export async function readTransferCode(
  db: Sql,
  name: string,
  { principal }: Pick<Context, 'principal'>,
): Promise<string | undefined> {
  const row = await db.maybe(sql<{ code: string }>`
    select transfer_code as code from domains where name = ${name} and registrar_id = ${principal.registrarId}`);
  return row?.code;
}

/** Appends a member to a JSON object text built by PostgreSQL. */
const withMember = (object: string, name: string, value: string): string =>
  `${object.slice(0, -1)},"${name}":${JSON.stringify(value)}}`;

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
  select coalesce(${compactList(sql`c.code`, sql`c.id`)}, '[]') from domain_contacts l join contacts c on c.id = l.contact_id
  where l.domain_id = d.id and l.role = ${role})`;

const parts: Readonly<Record<Part, () => Fragment>> = {
  contacts: () => compactObject(sql`${codes('admin')} as admin_contacts, ${codes('tech')} as tech_contacts`),
  nameservers: () =>
    compactObject(sql`(
    select coalesce(${compactList(compactObject(sql`n.hostname, n.ipv4, n.ipv6`), sql`n.id`)}, '[]')
    from domain_nameservers n where n.domain_id = d.id) as nameservers`),
  keys: () =>
    compactObject(sql`(
    select coalesce(${compactList(compactObject(sql`k.flags, k.protocol, k.alg, k.public_key`), sql`k.id`)}, '[]')
    from domain_keys k where k.domain_id = d.id) as dns_keys`),
};
