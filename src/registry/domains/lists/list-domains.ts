import { isAfter, orderBy, sortColumn, startsWith } from '../../../platform/paging/order.ts';
import {
  columnOfPage,
  endOfPage,
  ifShown,
  type ListQuery,
  positionOf,
  withOneMore,
} from '../../../platform/paging/list-page.ts';
import type { Position } from '../../../platform/paging/position.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { textList } from '../../../platform/sql/json-text.ts';
import { compactList, type Fragment, type Statement, sql } from '../../../platform/sql/statement.ts';
import { searchKey } from '../../contacts/contact-fields.ts';
import { isShortPage } from '../../list-turns.ts';
import { storedCount } from '../../stored-counts.ts';
import type { Context } from '../../operation.ts';
import { hasStatus } from '../rules/computed-statuses.ts';
import { sponsorText } from '../readings/domain-members.ts';

export const DOMAIN_COLUMNS = {
  name: { column: sql`name`, type: 'text' },
  createdAt: { column: sql`created_at`, type: 'time' },
  expireTime: { column: sql`expire_time`, type: 'time' },
} as const;
type DomainSort = keyof typeof DOMAIN_COLUMNS;

type Row = {
  readonly domains: string;
  readonly newDomain: string;
  readonly count: number;
  readonly next: string | null;
};
export type DomainList = Omit<Row, 'next'> & { readonly next: Position | undefined };

type DomainQuery = ListQuery<DomainSort> & {
  /** Only domains that have this contact in any role. */
  readonly contactId?: number | undefined;
  /** Only domains that were changed at this time or later. */
  readonly updatedSince?: Date | undefined;
  /** Only domains that expire before this time. */
  readonly expiresBefore?: Date | undefined;
  readonly filters?: DomainFilters | undefined;
  /** How each is written, by `ownDomain`; its name alone if absent. */
  readonly item?: Fragment | undefined;
};

export type DomainFilters = {
  /** A pattern of `ilike`. */
  readonly nameLike?: string | undefined;
  readonly registrantCode?: string | undefined;
  /** The identification code of an admin or tech contact. */
  readonly contactIdent?: string | undefined;
  readonly nameserver?: string | undefined;
  readonly expiresFrom?: Date | undefined;
  readonly expiresUntil?: Date | undefined;
  /** It has all of these. */
  readonly statuses?: readonly string[] | undefined;
};

/** One page of a registrar's domains as JSON text, the number of all that match, and its youngest domain. */
export async function listDomains(
  db: Sql,
  query: DomainQuery,
  context: Pick<Context, 'principal' | 'now'>,
): Promise<DomainList> {
  const row = await db.one(listStatement(query, context));
  return { ...row, next: positionOf(row.next) };
}

const isOfAll = ({ q, contactId, updatedSince, expiresBefore, filters }: DomainQuery): boolean =>
  [q, contactId, updatedSince, expiresBefore, filters].every((filter) => filter === undefined);

const listsNames = (query: DomainQuery): boolean => isOfAll(query) && !query.item;

/** Whether it takes no longer than a single domain. */
export const isShortList = (query: DomainQuery): boolean => listsNames(query) && isShortPage(query);

function listStatement(
  query: DomainQuery,
  { principal: { registrarId }, now }: Pick<Context, 'principal' | 'now'>,
): Statement<Row> {
  const { item, q, contactId, filters, sort, after } = query;
  const key = sortColumn(sort, DOMAIN_COLUMNS);
  const order = orderBy(sort, DOMAIN_COLUMNS);
  const own = sql`domains d where d.registrar_id = ${registrarId}`;
  const timed = inTimes(query, registrarId);
  const candidates = timed?.rows ?? own;
  const named =
    q === undefined ? candidates : sql`${candidates} and ${startsWith(sql`name`, q.trim().toLowerCase())}`;
  const linked = contactId === undefined ? named : sql`${named} and id in (${domainsOf(contactId)})`;
  const matching = filters === undefined ? linked : sql`${linked} ${conditionsOf(filters, now)}`;
  const further = after ? sql`and ${isAfter(sort, DOMAIN_COLUMNS, after)}` : sql``;
  const isWhole = isOfAll(query);
  const isByTime = isOfAll({ ...query, updatedSince: undefined, expiresBefore: undefined });
  const counted = sql`select count(*) from ${(isByTime && timed?.entries) || matching}`;
  const countOf = isWhole ? storedCount('domain', registrarId, counted) : sql`(${counted})`;
  const newest = sql`select * from ${own} order by created_at desc, id desc limit 1`;
  if (listsNames(query)) {
    const names = { column: sql`name`, rows: sql`${own} ${further}`, order, key };
    return sql<Row>`
      select ${countOf} as count, shown.items as domains, shown.next, array_to_json(array(select name from (${newest}) as d))::text as "newDomain"
      from (${columnOfPage(names, query)}) as shown`;
  }
  // Rows that an offset skips are read from the index alone.
  const readsRows = item && query.offset === 0;
  return sql<Row>`
    with page as (
      select ${readsRows ? sql`d.*` : sql`id, name`}, ${key.column} as key, row_number() over (order by ${order}) as position from ${matching} ${further}
      order by ${order} ${withOneMore(query)})
    select ${countOf} as count, shown.*,
      coalesce((
        select ${item ? sql`'[' || ${item} || ']'` : compactList(sql`d.name`, sql`d.id`)} from (${newest}) as d), '[]')::text as "newDomain"
    from (select ${now}::timestamptz as now, ${sponsorText(sql`${registrarId}::bigint`)} as sponsor offset 0) as asked
    cross join lateral (
      select coalesce(${item ? textList(item, sql`page.position`, ifShown(query)) : compactList(sql`page.name`, sql`page.position`, ifShown(query))}, '[]')::text as domains,
        ${endOfPage(query, key.type)} as next
      from page ${item ? (readsRows ? SAME_ROW : WHOLE_ROW) : sql``}) as shown`;
}

type InTimes = {
  /** Rows `d`, with a condition to which others can be added. */
  readonly rows: Fragment;
  /** The same by an index alone; undefined where two times are asked for. */
  readonly entries: Fragment | undefined;
};

/**
 * What matches is found by the index of a time, whatever it is sorted by, and each row then by its key: a walk along the
 * order, or a join that the planner chooses, would read all domains of the registrar.
 */
function inTimes(
  { updatedSince, expiresBefore, sort }: DomainQuery,
  registrarId: number,
): InTimes | undefined {
  const expires = expiresBefore && sql`d.expire_time < ${expiresBefore}`;
  const condition = updatedSince ? sql`d.updated_at >= ${updatedSince}` : expires;
  if (!condition) return undefined;
  const entries = sql`domains d where d.registrar_id = ${registrarId} and ${condition}`;
  if (!updatedSince && sort.endsWith('expireTime')) return { rows: entries, entries };
  const rows = sql`(select d.id as found_id from ${entries} offset 0) as found
    cross join lateral (select * from domains r where r.id = found.found_id offset 0) as d where true`;
  const isBoth = updatedSince && expires;
  return isBoth ? { rows: sql`${rows} and ${expires}`, entries: undefined } : { rows, entries };
}

/** Of rows `d` of domains. These read rows: only the incumbent's clients filter by them. */
function conditionsOf(filters: DomainFilters, now: Date): Fragment {
  const { nameLike, registrantCode, contactIdent, nameserver } = filters;
  const { expiresFrom, expiresUntil, statuses = [] } = filters;
  const conditions = [
    ...(nameLike === undefined ? [] : [sql`and name ilike ${nameLike}`]),
    ...(registrantCode === undefined
      ? []
      : [sql`and registrant_id in (select id from contacts where code_key = ${searchKey(registrantCode)})`]),
    ...(contactIdent === undefined ? [] : [sql`and ${hasContactWith(contactIdent)}`]),
    ...(nameserver === undefined
      ? []
      : [sql`and id in (select domain_id from domain_nameservers where hostname = ${nameserver})`]),
    ...(expiresFrom === undefined ? [] : [sql`and expire_time >= ${expiresFrom}`]),
    ...(expiresUntil === undefined ? [] : [sql`and expire_time <= ${expiresUntil}`]),
    ...statuses.map((status) => sql`and ${hasStatus(status, now)}`),
  ];
  return conditions.reduce((all, one) => sql`${all} ${one}`, sql``);
}

const hasContactWith = (ident: string): Fragment => sql`exists (
  select from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id and c.ident = ${ident})`;

/** A domain may be found twice, in several roles. */
const domainsOf = (contactId: number): Fragment => sql`
  select id from domains where registrant_id = ${contactId}
  union all select domain_id from domain_contacts where contact_id = ${contactId}`;

const SAME_ROW = sql`cross join lateral (select page.*) as d`;
const WHOLE_ROW = sql`cross join lateral (select * from domains where id = page.id offset 0) as d`;
