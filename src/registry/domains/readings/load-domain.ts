import { jsonMembers, pickColumns } from '../../../platform/sql/columns.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { constant, type Fragment, sql } from '../../../platform/sql/statement.ts';
import { CONTACT_INFO } from '../../contacts/contact-members.ts';
import { isDisputed } from '../../names/dispute-in-force.ts';
import type { Context } from '../../operation.ts';
import type { Domain } from '../domain.ts';
import {
  CONTACT_LINKS,
  jsonOfLinks,
  KEY_LINKS,
  NAMESERVER_LINKS,
  ofRegistrant,
  SIGNED_KEY_LINKS,
  withColumns,
} from './domain-links.ts';
import { DOMAIN } from './domain-members.ts';
import { refuse } from '../rules/domain-refusals.ts';

/** What a change of one domain starts from. */
export type FoundDomain = {
  readonly domain: Domain | undefined;
  readonly gone: boolean;
};

type Times = 'createdAt' | 'expireTime' | 'outzoneAt' | 'purgeAt' | 'remindedAt';
type WithId = { readonly id?: number };
/** A Domain as encoded in JSON. */
export type DomainRow = Omit<Domain, Times | 'linkIds' | 'nameservers' | 'dnsKeys'> & {
  readonly [name in Times]: Domain[name] extends Date ? string : string | null;
} & {
  readonly nameservers: readonly (Domain['nameservers'][number] & WithId)[];
  readonly dnsKeys: readonly (Domain['dnsKeys'][number] & WithId)[];
};

/** What decisions see of a row `d` of domains without what is linked to it. */
export const DECIDED = {
  ...pickColumns(DOMAIN, 'id', 'version', 'name', 'zone', 'registrarId', 'transferCode', 'createdAt'),
  ...pickColumns(DOMAIN, 'expireTime', 'outzoneAt', 'deleteDate', 'purgeAt', 'remindedAt'),
  forceDelete: sql`d.force_delete || jsonb_build_object('start', d.force_delete_start, 'date', d.force_delete_date)`,
  statuses: sql`d.statuses`,
  holdCauses: sql`d.hold_causes`,
  reference: sql`d.reference`,
};

export const DECIDED_LINKS = {
  contacts: withColumns(CONTACT_LINKS, 'id', 'code', 'name', 'email', 'role'),
  nameservers: withColumns(NAMESERVER_LINKS, 'hostname', 'ipv4', 'ipv6'),
  dnsKeys: SIGNED_KEY_LINKS,
};

const membersWith = ({ nameservers, dnsKeys }: Pick<typeof DECIDED_LINKS, 'nameservers' | 'dnsKeys'>) =>
  constant(
    jsonMembers({
      ...DECIDED,
      registrant: ofRegistrant(() => CONTACT_INFO),
      contacts: jsonOfLinks(DECIDED_LINKS.contacts),
      nameservers: jsonOfLinks(nameservers),
      dnsKeys: jsonOfLinks(dnsKeys),
    }),
  );
const MEMBERS = membersWith(DECIDED_LINKS);
const MEMBERS_WITH_IDS = membersWith({ nameservers: NAMESERVER_LINKS, dnsKeys: KEY_LINKS });

/** A row `d` of domains with everything linked to it, as JSON. */
export const domainValue = (now: Date | Fragment): Fragment =>
  sql`json_build_object(${MEMBERS}, 'disputed', ${isDisputed(now)})`;

/** The same with the ids of links, for an operation whose answer has the whole domain. */
export const domainValueWithIds = (now: Date | Fragment): Fragment =>
  sql`json_build_object(${MEMBERS_WITH_IDS}, 'disputed', ${isDisputed(now)})`;

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

export async function loadDomain(db: Sql, name: string, { principal, now }: Context): Promise<FoundDomain> {
  const row = await db.one(sql<{ domain: DomainRow | null; gone: boolean }>`
    select (select ${domainValue(now)} from domains d where d.name = ${name}) as domain,
      ${wasRemoved(name, principal.registrarId)} as gone`);
  return { ...row, domain: row.domain ? readDomain(row.domain) : undefined };
}

/** The same for an operation whose answer has the whole domain. */
export async function loadWholeDomain(
  db: Sql,
  name: string,
  { principal: { registrarId }, now }: Context,
): Promise<FoundDomain> {
  const row = await db.one(sql<{ domain: DomainRow | null; gone: boolean }>`
    select (select ${domainValueWithIds(now)} from domains d where d.name = ${name}) as domain,
      ${wasRemoved(name, registrarId)} as gone`);
  return { ...row, domain: row.domain ? readDomain(row.domain) : undefined };
}

/** Whether the registrar had a domain of this name that was deleted. */
export const wasRemoved = (name: string | Fragment, registrarId: number | Fragment): Fragment => sql`
  exists (select from removed_objects where object_kind = 'domain' and name_key = ${name} and registrar_id = ${registrarId})`;

export function readDomain(row: DomainRow): Domain {
  const { createdAt, expireTime, outzoneAt, purgeAt, remindedAt } = row;
  return {
    ...row,
    ...linksOf(row),
    createdAt: new Date(createdAt),
    expireTime: new Date(expireTime),
    outzoneAt: timeOrNull(outzoneAt),
    purgeAt: timeOrNull(purgeAt),
    remindedAt: timeOrNull(remindedAt),
  };
}

/** Ids are kept apart: links are compared, and stored in history, without them. */
function linksOf({ nameservers, dnsKeys }: DomainRow): Pick<Domain, 'nameservers' | 'dnsKeys' | 'linkIds'> {
  if (![...nameservers, ...dnsKeys].some(({ id }) => id !== undefined)) return { nameservers, dnsKeys };
  return {
    nameservers: nameservers.map(({ id: _id, ...host }) => host),
    dnsKeys: dnsKeys.map(({ id: _id, ...key }) => key),
    linkIds: {
      nameservers: new Map(nameservers.map(({ hostname, id = 0 }) => [hostname, id])),
      dnsKeys: new Map(dnsKeys.map(({ publicKey, id = 0 }) => [publicKey, id])),
    },
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
