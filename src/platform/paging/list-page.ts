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

/** The position as such a statement returns it: a JSON array, or null at the end of the list. */
export function positionOf(end: string | null): Position | undefined {
  if (end === null) return undefined;
  const [key, id] = JSON.parse(end) as [string, number];
  return { key, id };
}
