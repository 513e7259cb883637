import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Context } from '../operation.ts';
import { domainObject } from './object.ts';

export const domainSorts = [
  'name',
  'created_at',
  'expire_time',
  '-name',
  '-created_at',
  '-expire_time',
] as const;
export type DomainSort = (typeof domainSorts)[number];
export type DomainListQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly details: boolean;
  readonly q?: string | undefined;
  readonly sort: DomainSort;
};
export type DomainList = { readonly domains: string; readonly newDomain: string; readonly count: number };

/** One page of a registrar's domains as JSON text, the number of all that match, and his youngest domain. */
export async function listDomains(
  sql: Sql,
  query: DomainListQuery,
  context: Pick<Context, 'principal' | 'now' | 'policy'>,
): Promise<DomainList> {
  const { limit, offset, details, q, sort } = query;
  const { principal, now, policy } = context;
  const matching = sql`domains where registrar_id = ${principal.registrarId} ${q ? startsWith(sql, q) : sql``}`;
  // Every domain of the list is the caller's own, so its transfer code is shown.
  const item = details ? domainObject(sql, principal, now, policy, { withCode: true }) : sql`d.name`;
  const [row] = await sql<DomainList[]>`
    with page as (
      select id, row_number() over (order by ${orderBy(sql, sort)}) as place
      from ${matching} order by ${orderBy(sql, sort)} limit ${limit} offset ${offset})
    select (select count(*) from ${matching}) as count,
      coalesce((select json_agg(${item} order by page.place) from page cross join lateral (select * from domains where id = page.id offset 0) as d), '[]')::text as domains,
      coalesce((
        select json_agg(${item}) from (
          select * from domains where registrar_id = ${principal.registrarId} order by created_at desc, id desc limit 1) as d), '[]')::text as "newDomain"`;
  return row ?? { domains: '[]', newDomain: '[]', count: 0 };
}

/** Whatever starts with a text sorts before that text followed by the last code point. */
const LAST = '\u{10FFFF}';

function startsWith(sql: Sql, q: string): Fragment {
  const from = q.trim().toLowerCase();
  return sql`and name >= ${from} and name < ${from + LAST}`;
}

function orderBy(sql: Sql, sort: DomainSort): Fragment {
  switch (sort) {
    case 'name':
      return sql`name, id`;
    case '-name':
      return sql`name desc, id desc`;
    case 'created_at':
      return sql`created_at, id`;
    case '-created_at':
      return sql`created_at desc, id desc`;
    case 'expire_time':
      return sql`expire_time, id`;
    case '-expire_time':
      return sql`expire_time desc, id desc`;
  }
}
