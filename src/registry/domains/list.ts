import { remembered, statement } from '../../platform/database/statement.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import {
  bothWays,
  endOfPage,
  isAfter,
  type ListQuery,
  orderBy,
  type Position,
  prefixRange,
  readPosition,
  SHOWN,
  sortColumn,
  startsWith,
} from '../listing.ts';
import type { Context } from '../operation.ts';
import { domainObject } from './object.ts';

export const DOMAIN_COLUMNS = {
  name: { column: 'name', type: 'text' },
  created_at: { column: 'created_at', type: 'time' },
  expire_time: { column: 'expire_time', type: 'time' },
} as const;
type DomainSort = keyof typeof DOMAIN_COLUMNS;
export const domainSorts = bothWays<DomainSort>('name', 'created_at', 'expire_time');

type Row = {
  readonly domains: string;
  readonly newDomain: string;
  readonly count: number;
  readonly next: string | null;
};
export type DomainList = Omit<Row, 'next'> & { readonly next: Position | undefined };

/** One page of a registrar's domains as JSON text, the number of all that match, and his youngest domain. */
export async function listDomains(
  db: Sql,
  { limit, offset, details, q, sort, after }: ListQuery<DomainSort>,
  { principal: { registrarId }, now }: Pick<Context, 'principal' | 'now'>,
): Promise<DomainList> {
  const list = listStatement(details, q !== undefined, sort, after !== undefined);
  const [row] = await list(db, {
    ...{ registrarId, now, limit, offset, afterKey: after?.key, afterId: after?.id },
    ...prefixRange(q?.trim().toLowerCase()),
  });
  return row
    ? { ...row, next: readPosition(row.next) }
    : { domains: '[]', newDomain: '[]', count: 0, next: undefined };
}

const listStatement = remembered(
  (details: boolean, filtered: boolean, sort: DomainSort | `-${DomainSort}`, continued: boolean) => {
    const matching = `domains where registrar_id = :registrarId ${filtered ? `and ${startsWith('name')}` : ''}`;
    const order = orderBy(sort, DOMAIN_COLUMNS);
    const { column, type } = sortColumn(sort, DOMAIN_COLUMNS);
    const further = continued ? `and ${isAfter(sort, DOMAIN_COLUMNS)}` : '';
    // Every domain of the list is the caller's own, so its transfer code is shown.
    const item = details ? domainObject(', d.transfer_code') : 'd.name';
    const whole = 'cross join lateral (select * from domains where id = page.id offset 0) as d';
    type Names = 'registrarId' | 'now' | 'limit' | 'offset' | 'from' | 'until' | 'afterKey' | 'afterId';
    return statement<Row, Names>(`
    with page as (
      select id, name, ${column} as key, row_number() over (order by ${order}) as place from ${matching} ${further}
      order by ${order} limit :limit::bigint + 1 offset :offset::bigint)
    select (select count(*) from ${matching}) as count,
      coalesce((select json_agg(${item} order by place) from ${SHOWN} as ${details ? `page ${whole}` : 'd'}), '[]')::text as domains, ${endOfPage(type)} as next,
      coalesce((
        select json_agg(${item}) from (
          select * from domains where registrar_id = :registrarId order by created_at desc, id desc limit 1) as d), '[]')::text as "newDomain"`);
  },
);
