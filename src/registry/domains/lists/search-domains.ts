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
import { type Order, startsWith } from '../../../platform/paging/order.ts';
import type { Position } from '../../../platform/paging/position.ts';
import { existsByKey } from '../../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { type Fragment, sql, text } from '../../../platform/sql/statement.ts';
import type { RegistrarScope } from '../../actor.ts';
import { searchKey } from '../../contacts/contact-fields.ts';
import { codesInRole, hostnames } from '../readings/domain-links.ts';
import type { DomainStatus } from '../rules/domain-statuses.ts';

/** Absent filters match everything; all are in the form in which values are stored. */
export type DomainFilter = {
  /** A part of the name. */
  readonly name?: string | undefined;
  readonly status?: DomainStatus | undefined;
  readonly expiresFrom?: Date | undefined;
  readonly expiresBefore?: Date | undefined;
  /** The identification of the registrant, or how its name begins. */
  readonly registrant?: string | undefined;
  /** The code of a contact in any role. */
  readonly contact?: string | undefined;
  readonly nameserver?: string | undefined;
};

const COLUMNS = {
  name: { column: sql`o.name`, type: 'text' },
  createdAt: { column: sql`o.created_at`, type: 'time' },
  expireTime: { column: sql`o.expire_time`, type: 'time' },
} as const;
type Sort = keyof typeof COLUMNS;
export type DomainOrder = Order<Sort>;

export type FoundDomainRow = {
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

/** One page of a registrar's domains. */
export const findDomains = async (
  db: Sql,
  query: DomainQuery,
  size: number,
  scope: RegistrarScope,
): Promise<FoundPage<FoundDomainRow>> => findPage(db, await searchOf(db, query, scope), SHOWN, size);

/** The same; the first page with the number of all that match. */
export const findDomainsWithTotal = async (
  db: Sql,
  query: DomainQuery,
  size: number,
  scope: RegistrarScope,
): Promise<FoundPageWithTotal<FoundDomainRow>> =>
  findPageWithTotal(db, await searchOf(db, query, scope), SHOWN, size);

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
  const { expiresFrom = null, expiresBefore = null, name = null } = filter;
  const sets = candidateSets(filter, order, registrarId);
  const { set, ...chosen } = await chooseCandidates(db, sets, filter.name === undefined);
  // What every candidate passes is not tested again.
  const tested = { ...filter, ...(set && Object.fromEntries(set.tested.map((each) => [each, undefined]))) };
  const { nameserver = null } = tested;
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
    entryTest: (of, id) => sql`(${name}::text is null or strpos(${of}.name, ${name}::text) > 0)
      and (${nameserver}::text is null or ${existsByKey(sql`
        select true from domain_nameservers n where n.domain_id = ${id} and n.hostname = ${nameserver}::text`)})`,
    rowTest: sets.length > 0 ? rowTest(tested, registrarId) : undefined,
    ...chosen,
  };
}

/** Every filter but those of the name and of the nameserver. Always the same text: each combination would be a statement to prepare. */
function rowTest(filter: DomainFilter, registrarId: number): Fragment {
  const { status = null, expiresFrom = null, expiresBefore = null } = filter;
  const contact = filter.contact === undefined ? null : searchKey(filter.contact);
  const { registrant = null } = filter;
  return sql`(${status}::text is null or o.statuses ? ${status}::text)
    and (${expiresFrom}::timestamptz is null or o.expire_time >= ${expiresFrom}::timestamptz)
    and (${expiresBefore}::timestamptz is null or o.expire_time < ${expiresBefore}::timestamptz)
    and (${contact}::text is null or o.registrant_id = ${contactId(contact, registrarId)}
      or ${existsByKey(sql`select true from domain_contacts l where l.domain_id = o.id and l.contact_id = ${contactId(contact, registrarId)}`)})
    and (${registrant}::text is null or ${existsByKey(sql`
      select true from contacts c where c.id = o.registrant_id
        and (c.ident = ${registrant}::text or ${startsWith(sql`c.name_key`, searchKey(registrant ?? ''))})`)})`;
}

type FilterSet = CandidateSet & { readonly tested: readonly (keyof DomainFilter)[] };

function candidateSets(filter: DomainFilter, order: DomainOrder, registrarId: number): FilterSet[] {
  const { status, expiresFrom, expiresBefore, registrant, contact, nameserver } = filter;
  const isRange = expiresFrom !== undefined || expiresBefore !== undefined;
  const range = isRange && !order.endsWith('expireTime') ? filter : undefined;
  const sets: readonly (FilterSet | undefined)[] = [
    contact === undefined ? undefined : { ...ofContact(contact, registrarId), tested: ['contact'] },
    registrant === undefined
      ? undefined
      : { ...ofRegistrant(registrant, registrarId), tested: ['registrant'] },
    nameserver === undefined ? undefined : { ...onNameserver(nameserver), tested: ['nameserver'] },
    status === undefined ? undefined : { ...withStatus(status, registrarId), tested: ['status'] },
    range && { ...expiringIn(range, registrarId), tested: ['expiresFrom', 'expiresBefore'] },
  ];
  return sets.filter((set) => set !== undefined);
}

/** Also of other registrars. */
const onNameserver = (hostname: string): CandidateSet =>
  countedSet(sql`select domain_id as id from domain_nameservers where hostname = ${hostname}`);

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

const contactId = (code: string | null, registrarId: number): Fragment =>
  sql`(select c.id from contacts c where c.code_key = ${code}::text and c.registrar_id = ${registrarId})`;

/** A domain has a contact as registrant, admin and tech at most. */
function ofContact(code: string, registrarId: number): CandidateSet {
  const id = contactId(searchKey(code), registrarId);
  return countedSet(
    sql`select id from domains where registrant_id = ${id} union all select domain_id from domain_contacts where contact_id = ${id}`,
    3,
  );
}

/** The domains of more registrants are not looked up: most contacts may have none. */
const MAX_REGISTRANTS = 2_000;

function ofRegistrant(nameOrIdent: string, registrarId: number): CandidateSet {
  const registrants = sql`(
    select id from contacts where registrar_id = ${registrarId} and ident = ${nameOrIdent}
    union all select id from contacts where registrar_id = ${registrarId} and ${startsWith(sql`name_key`, searchKey(nameOrIdent))}
    ${text(`limit ${MAX_REGISTRANTS + 1}`)}) as c`;
  const { ids, size } = countedSet(sql`
    select d.id from ${registrants} cross join lateral (select id from domains where registrant_id = c.id offset 0) as d`);
  // The name of a contact may begin with its identification.
  return {
    ids,
    size: sql`case when (select count(*) from ${registrants}) > ${MAX_REGISTRANTS} then ${BEYOND_HASHED} else ${size} end`,
    repeats: 2,
  };
}
