import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { textList, textObject, textOf, textOfArray, textOrNull } from '../../platform/sql/json-text.ts';
import {
  compactJsonb,
  compactList,
  compactObject,
  constant,
  type Fragment,
  type Inserted,
  isoTime,
  sql,
} from '../../platform/sql/statement.ts';
import type { Context } from '../operation.ts';
import { refuse } from '../registry-refusals.ts';
import { refuseMissing } from '../removed.ts';

/** Whether the name of a row `d` of domains has an open dispute. */
export const disputed = (now: Inserted): Fragment => sql`coalesce((
  select true from disputes x where x.name = d.name and x.closed_at is null and x.starts_at <= ${now} and x.expires_at > ${now} limit 1), false)`;

/** The nameservers of the domain as text, or null if it has none. */
const NAMESERVERS_TEXT = constant(sql`(
  select ${textList(
    textObject({
      id: sql`n.id`,
      hostname: textOf(sql`n.hostname`),
      ipv4: textOfArray(sql`n.ipv4`),
      ipv6: textOfArray(sql`n.ipv6`),
    }),
    sql`n.id`,
  )} from domain_nameservers n where n.domain_id = d.id)`);
export const NAMESERVERS = sql`${NAMESERVERS_TEXT}::json`;

/** The stored and the computed statuses; `ok` only if there is no other. They are of a row `state` (disputed, nameservers). */
export const STATUSES = sql`case
    when d.statuses <> '{}' or state.disputed then ${compactJsonb(sql`d.statuses
      || case when state.disputed then '{"disputed": ""}' else '{}'::jsonb end
      || case when state.nameservers is null then '{"inactive": ""}' else '{}'::jsonb end`)}
    when state.nameservers is null then '{"inactive":""}'
    else '{"ok":""}' end`;

const time = (column: Fragment): Fragment => sql`coalesce('"' || ${isoTime(column)} || '"', 'null')`;

const REGISTRANT = sql`(
  select ${textObject({ name: textOf(sql`c.name`), code: textOf(sql`c.code`) })} from contacts c where c.id = d.registrant_id)`;

const contactObject = (name: Readonly<Record<string, Fragment>>): Fragment =>
  textObject({
    code: textOf(sql`c.code`),
    type: sql`case l.role when 'admin' then '"AdminDomainContact"' else '"TechDomainContact"' end`,
    ...name,
  });
/** The other contacts than the registrant; only the sponsor sees their names. */
const contactsFor = (isSponsor: Fragment): Fragment => sql`(
  select coalesce(${textList(
    sql`case when ${isSponsor} then ${contactObject({ name: textOf(sql`c.name`) })} else ${contactObject({})} end`,
    sql`l.role, c.id`,
  )}, '[]')
  from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id)`;

const KEYS = sql`(
  select coalesce(${textList(
    textObject({
      ...{ id: sql`k.id`, flags: sql`k.flags`, protocol: sql`k.protocol`, alg: sql`k.alg` },
      public_key: textOf(sql`k.public_key`),
    }),
    sql`k.id`,
  )}, '[]')
  from domain_keys k where k.domain_id = d.id)`;

/** The sponsor as its domains show it. */
export const sponsorObject = (registrarId: Fragment): Fragment => sql`(
  select ${textObject({ name: textOf(sql`r.name`), website: textOf(sql`r.website`) })} from registrars r where r.id = ${registrarId})`;

/**
 * The API's domain object, built by PostgreSQL as text for a row `d` of domains. Only the sponsor sees the transfer code
 * and the names of the contacts.
 */
export const domainObject = ({
  now,
  isSponsor,
  sponsor,
}: {
  readonly now: Fragment;
  readonly isSponsor: Fragment;
  readonly sponsor: Fragment;
}): Fragment =>
  sql`(select ${textObject({
    name: textOf(sql`d.name`),
    registrant: REGISTRANT,
    created_at: time(sql`d.created_at`),
    updated_at: time(sql`d.updated_at`),
    expire_time: time(sql`d.expire_time`),
    outzone_at: time(sql`d.outzone_at`),
    delete_date: textOrNull(sql`d.delete_date`),
    force_delete_date: textOrNull(sql`d.force_delete_date`),
    contacts: contactsFor(isSponsor),
    nameservers: sql`coalesce(state.nameservers, '[]')`,
    dnssec_keys: KEYS,
    statuses: sql`(${STATUSES})::text`,
    registrar: sponsor,
    dispute: sql`case when state.disputed then 'true' else 'false' end
      || case when ${isSponsor} then ',"transfer_code":' || ${textOf(sql`d.transfer_code`)} else '' end`,
  })} from (select ${disputed(now)} as disputed, ${NAMESERVERS_TEXT} as nameservers offset 0) as state)`;

type ReadContext = Pick<Context, 'principal' | 'now'>;

type Row = { domain: string };

const find = batchedLookup<Row, 'name' | 'now' | 'registrarId'>(
  { name: 'text', now: 'timestamptz', registrarId: 'bigint' },
  ({ name, now, registrarId }) => sql<Row>`
  select ${domainObject({
    now,
    isSponsor: sql`d.registrar_id = ${registrarId}`,
    sponsor: sponsorObject(sql`d.registrar_id`),
  })} as domain from domains d where d.name = ${name}`,
);

/** The domain as JSON text for any registrar; only the sponsor gets the transfer code. */
export async function readDomainObject(db: Sql, name: string, context: ReadContext): Promise<string> {
  const { registrarId } = context.principal;
  const row = await find(db, { name, now: context.now.toISOString(), registrarId });
  return row?.domain ?? refuseMissing(db, 'domain', name, context.principal);
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
