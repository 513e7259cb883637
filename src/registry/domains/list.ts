import type { Sql } from '../../platform/database/database.ts';
import { remembered, statement } from '../../platform/database/statement.ts';
import { bothWays, type ListQuery, orderBy, prefixRange, startsWith } from '../listing.ts';
import type { Context } from '../operation.ts';
import { domainObject } from './object.ts';

const COLUMNS = { name: 'name', created_at: 'created_at', expire_time: 'expire_time' } as const;
type DomainSort = keyof typeof COLUMNS;
export const domainSorts = bothWays<DomainSort>('name', 'created_at', 'expire_time');

export type DomainList = { readonly domains: string; readonly newDomain: string; readonly count: number };

/** One page of a registrar's domains as JSON text, the number of all that match, and his youngest domain. */
export async function listDomains(
  sql: Sql,
  { limit, offset, details, q, sort }: ListQuery<DomainSort>,
  { principal: { registrarId }, now }: Pick<Context, 'principal' | 'now'>,
): Promise<DomainList> {
  const list = listStatement(details, q !== undefined, sort);
  const [row] = await list(sql, { registrarId, now, limit, offset, ...prefixRange(q?.trim().toLowerCase()) });
  return row ?? { domains: '[]', newDomain: '[]', count: 0 };
}

const listStatement = remembered(
  (details: boolean, filtered: boolean, sort: DomainSort | `-${DomainSort}`) => {
    const matching = `domains where registrar_id = :registrarId ${filtered ? `and ${startsWith('name')}` : ''}`;
    const order = orderBy(sort, COLUMNS);
    // Every domain of the list is the caller's own, so its transfer code is shown.
    const item = details ? domainObject(', d.transfer_code') : 'd.name';
    const whole = 'cross join lateral (select * from domains where id = page.id offset 0) as d';
    return statement<DomainList, 'registrarId' | 'now' | 'limit' | 'offset' | 'from' | 'until'>(`
    with page as (
      select id, name, row_number() over (order by ${order}) as place from ${matching} order by ${order} limit :limit offset :offset)
    select (select count(*) from ${matching}) as count,
      coalesce((select json_agg(${item} order by place) from page ${details ? whole : 'd'}), '[]')::text as domains,
      coalesce((
        select json_agg(${item}) from (
          select * from domains where registrar_id = :registrarId order by created_at desc, id desc limit 1) as d), '[]')::text as "newDomain"`);
  },
);
