import type { Sql } from '../../platform/sql/executor.ts';
import { textList } from '../../platform/sql/json-text.ts';
import { compactList, constant, type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
import {
  endOfPage,
  ifShown,
  isAfter,
  type ListQuery,
  orderBy,
  type Position,
  readPosition,
  sortColumn,
  startsWith,
  withDescending,
  withOneMore,
} from '../listing.ts';
import { storedCount, withStoredCounts } from '../object-counts.ts';
import type { Context } from '../operation.ts';
import { domainObject, sponsorObject } from './read-domain.ts';

export const DOMAIN_COLUMNS = {
  name: { column: sql`name`, type: 'text' },
  created_at: { column: sql`created_at`, type: 'time' },
  expire_time: { column: sql`expire_time`, type: 'time' },
} as const;
type DomainSort = keyof typeof DOMAIN_COLUMNS;
export const domainSorts = withDescending<DomainSort>('name', 'created_at', 'expire_time');

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
};

/** One page of a registrar's domains as JSON text, the number of all that match, and its youngest domain. */
export async function listDomains(
  db: Sql,
  query: DomainQuery,
  context: Pick<Context, 'principal' | 'now'>,
): Promise<DomainList> {
  const row = await withStoredCounts((hasCounts) => db.one(listStatement(query, context, hasCounts)));
  return { ...row, next: readPosition(row.next) };
}

function listStatement(
  query: DomainQuery,
  { principal: { registrarId }, now }: Pick<Context, 'principal' | 'now'>,
  hasCounts: boolean,
): Statement<Row> {
  const { details, q, contactId, sort, after } = query;
  const { column, type } = sortColumn(sort, DOMAIN_COLUMNS);
  const order = orderBy(sort, DOMAIN_COLUMNS);
  const own = sql`domains where registrar_id = ${registrarId}`;
  const named = q === undefined ? own : sql`${own} and ${startsWith(sql`name`, q.trim().toLowerCase())}`;
  const matching = contactId === undefined ? named : sql`${named} and id in (${domainsOf(contactId)})`;
  const further = after ? sql`and ${isAfter(sort, DOMAIN_COLUMNS, after)}` : sql``;
  const isWhole = q === undefined && contactId === undefined;
  const counted = sql`select count(*) from ${matching}`;
  // Rows that an offset skips are read from the index alone.
  const readsRows = details && query.offset === 0;
  return sql<Row>`
    with page as (
      select ${readsRows ? sql`domains.*` : sql`id, name`}, ${column} as key, row_number() over (order by ${order}) as position from ${matching} ${further}
      order by ${order} ${withOneMore(query)})
    select ${isWhole && hasCounts ? storedCount('domain', registrarId, counted) : sql`(${counted})`} as count, shown.*,
      coalesce((
        select ${details ? sql`'[' || ${OWN_DOMAIN} || ']'` : compactList(sql`d.name`, sql`d.id`)} from (
          select * from ${own} order by created_at desc, id desc limit 1) as d), '[]')::text as "newDomain"
    from (select ${now}::timestamptz as now, ${sponsorObject(sql`${registrarId}::bigint`)} as sponsor offset 0) as asked
    cross join lateral (
      select coalesce(${details ? textList(OWN_DOMAIN, sql`page.position`, ifShown(query)) : compactList(sql`page.name`, sql`page.position`, ifShown(query))}, '[]')::text as domains,
        ${endOfPage(query, type)} as next
      from page ${details ? (readsRows ? SAME_ROW : WHOLE_ROW) : sql``}) as shown`;
}

/** All listed domains are the caller's own; `asked` has the time and the caller as their sponsor, written once. */
const OWN_DOMAIN = constant(
  domainObject({ now: sql`asked.now`, isSponsor: sql`true`, sponsor: sql`asked.sponsor` }),
);

/** A domain may be found twice, in several roles. */
const domainsOf = (contactId: number): Fragment => sql`
  select id from domains where registrant_id = ${contactId}
  union all select domain_id from domain_contacts where contact_id = ${contactId}`;

const SAME_ROW = sql`cross join lateral (select page.*) as d`;
const WHOLE_ROW = sql`cross join lateral (select * from domains where id = page.id offset 0) as d`;
