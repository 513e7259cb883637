import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Context } from '../operation.ts';
import { refuse } from '../registry-refusals.ts';
import type { Domain } from './domain.ts';

/** What a change of one domain starts from. */
export type FoundDomain = {
  readonly domain: Domain | undefined;
  readonly gone: boolean;
};

type Times = 'createdAt' | 'expireTime' | 'outzoneAt' | 'purgeAt' | 'remindedAt';
/** A Domain as encoded in JSON. */
export type DomainRow = Omit<Domain, Times> & {
  readonly [name in Times]: Domain[name] extends Date ? string : string | null;
};

/** A row `d` of domains with everything linked to it, as JSON. */
export function domainValue(now: Date | Fragment): Fragment {
  return sql`json_build_object(
    'id', d.id, 'version', d.version, 'name', d.name, 'zone', d.zone, 'registrarId', d.registrar_id, 'transferCode', d.transfer_code,
    'createdAt', d.created_at, 'expireTime', d.expire_time, 'outzoneAt', d.outzone_at, 'deleteDate', d.delete_date,
    'purgeAt', d.purge_at, 'remindedAt', d.reminded_at,
    'forceDelete', d.force_delete || jsonb_build_object('start', d.force_delete_start, 'date', d.force_delete_date),
    'statuses', d.statuses,
    'disputed', ${isDisputed(now)},
    'registrant', (select ${contactInfo()} from contacts c where c.id = d.registrant_id),
    'contacts', (select coalesce(json_agg(json_build_object('id', c.id, 'code', c.code, 'email', c.email, 'role', l.role) order by l.role, c.id), '[]')
      from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id),
    'nameservers', (select coalesce(json_agg(json_build_object('hostname', n.hostname, 'ipv4', n.ipv4, 'ipv6', n.ipv6) order by n.id), '[]')
      from domain_nameservers n where n.domain_id = d.id),
    'dnsKeys', (select coalesce(json_agg(json_build_object('flags', k.flags, 'protocol', k.protocol, 'alg', k.alg, 'publicKey', k.public_key,
        'keyTag', k.key_tag, 'digestType', k.digest_type, 'digest', k.digest) order by k.id), '[]')
      from domain_keys k where k.domain_id = d.id))`;
}

/** Whether a row `d` of domains has an open dispute. */
export const isDisputed = (now: Date | Fragment): Fragment => sql`exists (
  select from disputes x where x.name = d.name and x.closed_at is null and x.starts_at <= ${now} and x.expires_at > ${now})`;

/**
 * Locks the rows `d` of domains that match a condition, in the order of their ids, and returns the ids. Linked rows
 * must be read by the next statement: this one may have waited for a lock, and its snapshot lacks what the holder added
 * to other tables.
 */
export async function lockRows(db: Sql, which: Fragment, most: number | null = null): Promise<number[]> {
  const rows = await db.rows(
    sql<{
      id: number;
    }>`select d.id from domains d where ${which} order by d.id limit ${most} for update of d`,
  );
  return rows.map(({ id }) => id);
}

/** A row `c` of contacts as decisions see it. */
export function contactInfo(): Fragment {
  return sql`json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'email', c.email,
    'ident', json_build_object('ident', c.ident, 'type', c.ident_type, 'countryCode', c.ident_country_code))`;
}

export async function loadDomain(db: Sql, name: string, { principal, now }: Context): Promise<FoundDomain> {
  const row = await db.one(sql<{ domain: DomainRow | null; gone: boolean }>`
    select (select ${domainValue(now)} from domains d where d.name = ${name}) as domain,
      ${wasRemoved(name, principal.registrarId)} as gone`);
  return { ...row, domain: row.domain ? readDomain(row.domain) : undefined };
}

/** Whether the registrar had a domain of this name that was deleted. */
export const wasRemoved = (name: string | Fragment, registrarId: number | Fragment): Fragment => sql`
  exists (select from removed_objects where object_kind = 'domain' and name_key = ${name} and registrar_id = ${registrarId})`;

export function readDomain(row: DomainRow): Domain {
  const { createdAt, expireTime, outzoneAt, purgeAt, remindedAt } = row;
  return {
    ...row,
    createdAt: new Date(createdAt),
    expireTime: new Date(expireTime),
    outzoneAt: timeOrNull(outzoneAt),
    purgeAt: timeOrNull(purgeAt),
    remindedAt: timeOrNull(remindedAt),
  };
}

const timeOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The domain, if the caller is its sponsor. */
export function requireSponsoredDomain(
  { domain, gone }: Pick<FoundDomain, 'domain' | 'gone'>,
  { principal }: Context,
): Domain {
  if (!domain) return refuse(gone ? 'objectGone' : 'objectMissing');
  return domain.registrarId === principal.registrarId ? domain : refuse('notSponsor');
}
