import type { Sql } from '../../platform/sql/executor.ts';
import { compactList, type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
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
import type { Context } from '../operation.ts';
import { domainObject } from './read-domain.ts';

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
  const row = await db.one(listStatement(query, context));
  return { ...row, next: readPosition(row.next) };
}

function listStatement(
  query: DomainQuery,
  { principal: { registrarId }, now }: Pick<Context, 'principal' | 'now'>,
): Statement<Row> {
  const { details, q, contactId, sort, after } = query;
  const { column, type } = sortColumn(sort, DOMAIN_COLUMNS);
  const order = orderBy(sort, DOMAIN_COLUMNS);
  const own = sql`domains where registrar_id = ${registrarId}`;
  const named = q === undefined ? own : sql`${own} and ${startsWith(sql`name`, q.trim().toLowerCase())}`;
  const matching = contactId === undefined ? named : sql`${named} and id in (${domainsOf(contactId)})`;
  const further = after ? sql`and ${isAfter(sort, DOMAIN_COLUMNS, after)}` : sql``;
  // All listed domains are the caller's own, so the transfer code is shown.
  const whole = domainObject({ now, registrarId }, sql`, d.transfer_code`);
  return sql<Row>`
    with page as (
      select id, name, ${column} as key, row_number() over (order by ${order}) as position from ${matching} ${further}
      order by ${order} ${withOneMore(query)})
    select (select count(*) from ${matching}) as count, shown.*,
      coalesce((
        select ${compactList(details ? whole : sql`d.name`, sql`d.id`)} from (
          select * from ${own} order by created_at desc, id desc limit 1) as d), '[]')::text as "newDomain"
    from (
      select coalesce(${compactList(details ? whole : sql`page.name`, sql`page.position`, ifShown(query))}, '[]')::text as domains,
        ${endOfPage(query, type)} as next
      from page ${details ? WHOLE_ROW : sql``}) as shown`;
}

/** A domain may be found twice, in several roles. */
const domainsOf = (contactId: number): Fragment => sql`
  select id from domains where registrant_id = ${contactId}
  union all select domain_id from domain_contacts where contact_id = ${contactId}`;

const WHOLE_ROW = sql`cross join lateral (select * from domains where id = page.id offset 0) as d`;
