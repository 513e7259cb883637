import type { Sql } from '../../platform/database/database.ts';
import { bothWays, type ListQuery, orderBy, startsWith } from '../listing.ts';
import type { Context } from '../operation.ts';
import { domainObject } from './object.ts';

const COLUMNS = { name: 'name', created_at: 'created_at', expire_time: 'expire_time' } as const;
type DomainSort = keyof typeof COLUMNS;
export const domainSorts = bothWays<DomainSort>('name', 'created_at', 'expire_time');

export type DomainList = { readonly domains: string; readonly newDomain: string; readonly count: number };

/** One page of a registrar's domains as JSON text, the number of all that match, and his youngest domain. */
export async function listDomains(
  sql: Sql,
  query: ListQuery<DomainSort>,
  context: Pick<Context, 'principal' | 'now'>,
): Promise<DomainList> {
  const { limit, offset, details, q, sort } = query;
  const { principal, now } = context;
  const matching = sql`domains where registrar_id = ${principal.registrarId} ${q ? sql`and ${startsWith(sql, 'name', q.trim().toLowerCase())}` : sql``}`;
  // Every domain of the list is the caller's own, so its transfer code is shown.
  const item = details ? domainObject(sql, principal, now, { withCode: true }) : sql`d.name`;
  const [row] = await sql<DomainList[]>`
    with page as (
      select id, row_number() over (order by ${orderBy(sql, sort, COLUMNS)}) as place
      from ${matching} order by ${orderBy(sql, sort, COLUMNS)} limit ${limit} offset ${offset})
    select (select count(*) from ${matching}) as count,
      coalesce((select json_agg(${item} order by page.place) from page cross join lateral (select * from domains where id = page.id offset 0) as d), '[]')::text as domains,
      coalesce((
        select json_agg(${item}) from (
          select * from domains where registrar_id = ${principal.registrarId} order by created_at desc, id desc limit 1) as d), '[]')::text as "newDomain"`;
  return row ?? { domains: '[]', newDomain: '[]', count: 0 };
}
