import {
  BEYOND_HASHED,
  type CandidateSet,
  chooseCandidates,
  countedSet,
} from '../../../platform/paging/candidates.ts';
import {
  type FoundPage,
  type FoundPageWithTotal,
  findPage,
  findPageWithTotal,
  type KeysetSearch,
} from '../../../platform/paging/keyset-search.ts';
import type { Order } from '../../../platform/paging/order.ts';
import type { Position } from '../../../platform/paging/position.ts';
import { indexedRange, matches, type TextPattern } from '../../../platform/paging/text-pattern.ts';
import { existsByKey } from '../../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { type Fragment, sql, text } from '../../../platform/sql/statement.ts';
import type { RegistrarScope } from '../../actor.ts';
import { type MatchingContacts, matchingContacts } from '../../contacts/matching-contacts.ts';
import { codesInRole, hostnames } from '../readings/domain-links.ts';
import { disputeInForce } from '../../names/dispute-in-force.ts';
import type { DomainStatus } from '../rules/domain-statuses.ts';

/** Absent filters match everything; all are in the form in which values are stored. */
export type DomainFilter = {
  readonly name?: TextPattern | undefined;
  readonly status?: DomainStatus | undefined;
  readonly expiresFrom?: Date | undefined;
  readonly expiresBefore?: Date | undefined;
  /** The name of the registrant or, of a text with a digit, its identification. */
  readonly registrant?: RegistrantPattern | undefined;
  /** The code of a contact in any role. */
  readonly contact?: TextPattern | undefined;
  /** The name of a host that the domain has. */
  readonly nameserver?: TextPattern | undefined;
};

/** Those to whom identifications are not shown find whole ones only: by parts they could read them, digit by digit. */
export type RegistrantPattern = TextPattern & { readonly findsPartsOfIdents: boolean };

const COLUMNS = {
  name: { column: sql`o.name`, type: 'text' },
  createdAt: { column: sql`o.created_at`, type: 'time' },
  expireTime: { column: sql`o.expire_time`, type: 'time' },
} as const;
type Sort = keyof typeof COLUMNS;
export type DomainOrder = Order<Sort>;

type FoundDomainRow = {
  readonly name: string;
  readonly createdAt: Date;
  readonly expireTime: Date;
  readonly statuses: readonly string[];
  readonly registrantCode: string;
  readonly registrantName: string;
};
const SHOWN = sql<FoundDomainRow>`
  o.name, o.created_at as "createdAt", o.expire_time as "expireTime", array(select jsonb_object_keys(o.statuses) order by 1) as statuses,
  (select c.code from contacts c where c.id = o.registrant_id) as "registrantCode",
  (select c.name from contacts c where c.id = o.registrant_id) as "registrantName"`;

export type ExportedDomain = FoundDomainRow & {
  readonly adminContacts: readonly string[];
  readonly techContacts: readonly string[];
  readonly nameservers: readonly string[];
};
const ID = sql`o.id`;
const EXPORTED = sql<ExportedDomain>`${SHOWN}, ${codesInRole('admin', { id: ID })} as "adminContacts",
  ${codesInRole('tech', { id: ID })} as "techContacts", ${hostnames(ID)} as nameservers`;

export type DomainQuery = {
  readonly filter: DomainFilter;
  readonly order: DomainOrder;
  readonly after?: Position | undefined;
};

export type ListedDomain = ExportedDomain & {
  readonly isDisputed: boolean;
  readonly updatedAt: Date;
  readonly reference: string | null;
};
/** The same without what was not asked for. */
const WITHOUT_LINKS = sql`${SHOWN}, '{}'::text[] as "adminContacts", '{}'::text[] as "techContacts", '{}'::text[] as nameservers`;
const listedTo = ({ now, withLinks = false }: ListScope) => sql<ListedDomain>`
  ${withLinks ? EXPORTED : WITHOUT_LINKS}, o.updated_at as "updatedAt", o.reference,
  exists (select from ${disputeInForce(sql`o.name`, now)}) as "isDisputed"`;
/** Whether there is a dispute depends on the time; contacts and nameservers are read where they are shown. */
export type ListScope = RegistrarScope & { readonly now: Date; readonly withLinks?: boolean };

/** One page of a registrar's domains. */
export const findDomains = async (
  db: Sql,
  query: DomainQuery,
  size: number,
  scope: ListScope,
): Promise<FoundPage<ListedDomain>> => findPage(db, await searchOf(db, query, scope), listedTo(scope), size);

/** The same; the first page with the number of all that match. */
export const findDomainsWithTotal = async (
  db: Sql,
  query: DomainQuery,
  size: number,
  scope: ListScope,
): Promise<FoundPageWithTotal<ListedDomain>> =>
  findPageWithTotal(db, await searchOf(db, query, scope), listedTo(scope), size);

/** The same with everything that a file of domains has. */
export const exportDomains = async (
  db: Sql,
  query: DomainQuery,
  size: number,
  scope: RegistrarScope,
): Promise<FoundPage<ExportedDomain>> => findPage(db, await searchOf(db, query, scope), EXPORTED, size);

const NAME = sql<{ name: string }>`o.name`;

/** The names of the first domains that match, and whether there may be more. */
export async function findDomainNames(
  db: Sql,
  query: DomainQuery,
  size: number,
  scope: RegistrarScope,
): Promise<{ readonly names: readonly string[]; readonly isMore: boolean }> {
  const { rows, next } = await findPage(db, await searchOf(db, query, scope), NAME, size);
  return { names: rows.map(({ name }) => name), isMore: next !== undefined };
}

async function searchOf(
  db: Sql,
  { filter, order, after }: DomainQuery,
  { registrarId }: RegistrarScope,
): Promise<KeysetSearch<Sort>> {
  const { expiresFrom = null, expiresBefore = null } = filter;
  const sets = candidateSets(filter, order, registrarId);
  const given = (Object.keys(filter) as (keyof DomainFilter)[]).filter((each) => filter[each] !== undefined);
  const { set, ...chosen } = await chooseCandidates(
    db,
    sets,
    given.every((each) => sets[0]?.tested.includes(each)),
  );
  // What every candidate passes is not tested again.
  const tested = { ...filter, ...(set && Object.fromEntries(set.tested.map((each) => [each, undefined]))) };
  return {
    table: sql`domains`,
    registrarId,
    sort: order,
    columns: COLUMNS,
    after,
    range: order.endsWith('expireTime')
      ? sql`o.expire_time >= coalesce(${expiresFrom}::timestamptz, '-infinity') and o.expire_time < coalesce(${expiresBefore}::timestamptz, 'infinity')`
      : sql`true`,
    entryColumns: sql`o.name`,
    entryTest: (of, id) =>
      sql`${matches(sql`${of}.name`, tested.name)} and ${hasNameserver(id, tested.nameserver)}`,
    rowTest: ROW_FILTERS.some((each) => tested[each] !== undefined)
      ? rowTest(tested, registrarId)
      : undefined,
    ...chosen,
  };
}

const hasNameserver = (id: Fragment, nameserver: TextPattern | undefined): Fragment => {
  const like = nameserver?.like ?? null;
  return sql`(${like}::text is null or ${existsByKey(sql`
    select true from domain_nameservers n where n.domain_id = ${id} and n.hostname like ${like}::text`)})`;
};

/** What an entry of an index does not tell. */
const ROW_FILTERS = ['status', 'expiresFrom', 'expiresBefore', 'registrant', 'contact'] as const;

/** Every filter but those of the name and of the nameserver. Always the same text: each combination would be a statement to prepare. */
function rowTest({ registrant, ...filter }: DomainFilter, registrarId: number): Fragment {
  const { status = null, expiresFrom = null, expiresBefore = null } = filter;
  const contact = filter.contact?.like ?? null;
  const isRegistrant = sql`select true from contacts c where c.id = o.registrant_id and c.registrar_id = ${registrarId}`;
  return sql`(${status}::text is null or o.statuses ? ${status}::text)
    and (${expiresFrom}::timestamptz is null or o.expire_time >= ${expiresFrom}::timestamptz)
    and (${expiresBefore}::timestamptz is null or o.expire_time < ${expiresBefore}::timestamptz)
    and (${contact}::text is null or ${existsByKey(sql`${isRegistrant} and c.code_key like ${contact}::text`)}
      or ${existsByKey(sql`
        select true from domain_contacts l cross join lateral (select * from contacts where id = l.contact_id offset 0) as c
        where l.domain_id = o.id and c.registrar_id = ${registrarId} and c.code_key like ${contact}::text`)})
    and (${registrant?.like ?? null}::text is null or ${existsByKey(sql`
      ${isRegistrant} and (c.name_key like ${registrant?.like ?? null}::text
        or ${mayBeIdent(registrant)} and lower(c.ident) like ${registrant?.like ?? null}::text)`)})`;
}

/** Every identification has a digit; without one only names are compared. */
const mayBeIdent = (registrant: RegistrantPattern | undefined): boolean =>
  registrant !== undefined &&
  /\d/.test(registrant.like) &&
  (registrant.findsPartsOfIdents || registrant.value !== undefined);

type FilterSet = CandidateSet & { readonly tested: readonly (keyof DomainFilter)[] };

function candidateSets(filter: DomainFilter, order: DomainOrder, registrarId: number): FilterSet[] {
  const { name, status, expiresFrom, expiresBefore, registrant, contact, nameserver } = filter;
  const isRange = expiresFrom !== undefined || expiresBefore !== undefined;
  const range = isRange && !order.endsWith('expireTime') ? filter : undefined;
  const sets: readonly (FilterSet | undefined)[] = [
    setOf('name', name && named(name, registrarId)),
    setOf('contact', contact && ofContact(contact, registrarId)),
    setOf('registrant', registrant && ofRegistrant(registrant, registrarId)),
    setOf('nameserver', nameserver && onNameserver(nameserver)),
    status === undefined ? undefined : { ...withStatus(status, registrarId), tested: ['status'] },
    range && { ...expiringIn(range, registrarId), tested: ['expiresFrom', 'expiresBefore'] },
  ];
  return sets.filter((set) => set !== undefined);
}

const setOf = (tested: keyof DomainFilter, set: CandidateSet | undefined): FilterSet | undefined =>
  set && { ...set, tested: [tested] };

/** Undefined where the index does not tell what matches: a walk does. */
function named(name: TextPattern, registrarId: number): CandidateSet | undefined {
  const range = indexedRange(sql`name`, name);
  return (
    range &&
    countedSet(
      sql`select id from domains where registrar_id = ${registrarId} and ${range} and name like ${name.like}::text`,
      1,
    )
  );
}

/** Of all registrars: a text that may stand anywhere in them is looked for in no more. */
const MAX_HOSTS = 5_000;

/** Also of other registrars. */
function onNameserver(hostname: TextPattern): CandidateSet {
  const range = indexedRange(sql`hostname`, hostname);
  const { like } = hostname;
  if (range)
    return countedSet(
      sql`select domain_id as id from domain_nameservers where ${range} and hostname like ${like}::text`,
    );
  const domainsOn = (hosts: Fragment) => sql`
    select d.id from ${hosts} as host cross join lateral (
      select domain_id as id from domain_nameservers where hostname = host.hostname offset 0) as d
    where host.hostname like ${like}::text`;
  return {
    ids: domainsOn(sql`(${HOSTS} ${text(`limit ${MAX_HOSTS}`)})`),
    size: sql`(with known as materialized (${HOSTS} ${text(`limit ${MAX_HOSTS + 1}`)})
      select case when (select count(*) from known) > ${MAX_HOSTS} then ${BEYOND_HASHED}
        else ${countedSet(domainsOn(sql`known`)).size} end)`,
  };
}

/** Each once, by one step along the index. */
const HOSTS = sql`
  with recursive each_host(hostname) as (
    (select hostname from domain_nameservers order by hostname limit 1)
    union all
    select (select n.hostname from domain_nameservers n where n.hostname > each_host.hostname order by n.hostname limit 1)
    from each_host where each_host.hostname is not null)
  select hostname from each_host where hostname is not null`;

const withStatus = (status: DomainStatus, registrarId: number): CandidateSet =>
  countedSet(
    sql`select domain_id as id from domain_statuses where registrar_id = ${registrarId} and status = ${status}`,
    1,
  );

const expiringIn = (
  { expiresFrom, expiresBefore }: Pick<DomainFilter, 'expiresFrom' | 'expiresBefore'>,
  registrarId: number,
): CandidateSet =>
  countedSet(
    sql`select id from domains where registrar_id = ${registrarId} and expire_time >= coalesce(${expiresFrom ?? null}::timestamptz, '-infinity')
      and expire_time < coalesce(${expiresBefore ?? null}::timestamptz, 'infinity')`,
    1,
  );

/** The domains of more contacts are not looked up: most contacts may have none. */
const MAX_CONTACTS = 2_000;

const domainsOf = ({ ids, isBeyond }: MatchingContacts, links: Fragment, repeats: number): CandidateSet => {
  const found = (contacts: Fragment) =>
    sql`select d.id from ${contacts} as c cross join lateral (${links} offset 0) as d`;
  return {
    ids: found(sql`(${ids} ${text(`limit ${MAX_CONTACTS}`)})`),
    size: sql`(with contact as materialized (select id from (${ids}) as every ${text(`limit ${MAX_CONTACTS + 1}`)})
      select case when ${isBeyond} or (select count(*) from contact) > ${MAX_CONTACTS} then ${BEYOND_HASHED}
        else ${countedSet(found(sql`contact`)).size} end)`,
    repeats,
  };
};

/** A domain has a contact as registrant, admin and tech at most. */
const ofContact = (code: TextPattern, registrarId: number): CandidateSet =>
  domainsOf(
    matchingContacts('code', code, registrarId),
    sql`(select id from domains where registrant_id = c.id union all select domain_id from domain_contacts where contact_id = c.id)`,
    3,
  );

function ofRegistrant(registrant: RegistrantPattern, registrarId: number): CandidateSet {
  const byName = matchingContacts('name', registrant, registrarId);
  const links = sql`select id from domains where registrant_id = c.id`;
  if (!mayBeIdent(registrant)) return domainsOf(byName, links, 1);
  const byIdent = matchingContacts('ident', registrant, registrarId);
  const either = {
    ids: sql`(${byName.ids}) union all (${byIdent.ids})`,
    isBeyond: sql`(${byName.isBeyond} or ${byIdent.isBeyond})`,
  };
  // The name of a contact may contain its identification.
  return domainsOf(either, links, 2);
}
