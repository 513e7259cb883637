import { type Fragment, sql } from '../sql/statement.ts';
import { keyText, type Order, type SortColumn } from './order.ts';
import type { Position } from './position.ts';

/** One page of a list: the parameters all lists share. */
export type ListQuery<Sort extends string> = {
  readonly limit: number;
  readonly offset: number;
  readonly q?: string | undefined;
  readonly sort: Order<Sort>;
  readonly after?: Position | undefined;
};

/**
 * A `page` reads one item more than it shows, to detect whether there are more. Its items have a `position` and their sort
 * key as `key`. Everything is computed by aggregates of one scan: a CTE that is read several times is materialised,
 * which makes a list of 200 names half as expensive again.
 */
type Page = Pick<ListQuery<string>, 'limit' | 'offset'>;

export const withOneMore = ({ limit, offset }: Page): Fragment =>
  sql`limit ${limit}::bigint + 1 offset ${offset}::bigint`;

/** For an aggregate of a page: excludes the extra item. */
export const ifShown = (page: Page): Fragment => sql`filter (where page.position <= ${lastPosition(page)})`;

/** An aggregate of a page: the position of its last shown item, if there are more. */
export function endOfPage(page: Page, type: SortColumn['type']): Fragment {
  const isLast = sql`filter (where page.position = ${lastPosition(page)})`;
  const last = sql`max(page.key) ${isLast}`;
  return sql`case when count(*) > ${page.limit}::bigint then json_build_array(${keyText(last, type)}, max(page.id) ${isLast})::text end`;
}

const lastPosition = ({ limit, offset }: Page): Fragment => sql`${offset}::bigint + ${limit}::bigint`;

type Column = {
  readonly column: Fragment;
  /** A table and its conditions, in an index of this order. */
  readonly rows: Fragment;
  readonly order: Fragment;
  readonly key: SortColumn;
};

/**
 * A page of one column, as `items` and `next`. An array takes neither the window nor the sort of the aggregates above,
 * which are half of what 200 names cost; its last position is read from the index once more.
 */
export const columnOfPage = ({ column, rows, order, key }: Column, page: Page): Fragment => sql`
  select array_to_json(page.items[:${page.limit}])::text as items,
    case when cardinality(page.items) > ${page.limit}::bigint then (
      select json_build_array(${keyText(sql`last.key`, key.type)}, last.id)::text
      from (select ${key.column} as key, id from ${rows} order by ${order} limit 1 offset ${lastPosition(page)} - 1) as last) end as next
  from (select array(select ${column} from ${rows} order by ${order} ${withOneMore(page)}) as items offset 0) as page`;

/** The position as such a statement returns it: a JSON array, or null at the end of the list. */
export function positionOf(end: string | null): Position | undefined {
  if (end === null) return undefined;
  const [key, id] = JSON.parse(end) as [string, number];
  return { key, id };
}
