import { QueueFull } from '../platform/concurrency/fair-queue.ts';
import type { Database } from '../platform/sql/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';
import type { Principal } from './actor.ts';
import { refuse } from './refusals.ts';

/** One page of a list: what every list has in common. */
export type ListQuery<Sort extends string> = {
  readonly limit: number;
  readonly offset: number;
  readonly details: boolean;
  readonly q?: string | undefined;
  readonly sort: Sort | `-${Sort}`;
  readonly after?: Position | undefined;
};

/** Where a page ended: the value that it is sorted by, a time in microseconds, and the id. */
export type Position = { readonly key: string; readonly id: number };
/** The position as a statement tells it: a JSON array, or null where the list has ended. */
export const readPosition = (text: string | null): Position | undefined => {
  if (text === null) return undefined;
  const [key, id] = JSON.parse(text) as [string, number];
  return { key, id };
};

/** A column to sort by, and how its values are written into a position. */
export type SortColumn = { readonly column: Fragment; readonly type: 'text' | 'time' };
export type SortColumns<Sort extends string> = Readonly<Record<Sort, SortColumn>>;

/** Names of sorts, each also descending with a leading minus. */
export const bothWays = <Sort extends string>(...sorts: readonly Sort[]): (Sort | `-${Sort}`)[] => [
  ...sorts,
  ...sorts.map((sort) => `-${sort}` as const),
];

/** The last code point: whatever starts with a text sorts before that text followed by it. */
const LAST = '\u{10FFFF}';

/** A prefix as a range, which an index in byte order answers whatever the plan. */
export const startsWith = (column: Fragment, prefix: string): Fragment =>
  sql`(${column} >= ${prefix} and ${column} < ${prefix + LAST})`;

/** Orders by a column and, where it is equal, by age, so that pages neither overlap nor leave gaps. */
export function orderBy<Sort extends string>(sort: Sort | `-${Sort}`, columns: SortColumns<Sort>): Fragment {
  const { column } = sortColumn(sort, columns);
  return isDescending(sort) ? sql`${column} desc, id desc` : sql`${column}, id`;
}

const isDescending = (sort: string): boolean => sort.startsWith('-');

export const sortColumn = <Sort extends string>(
  sort: Sort | `-${Sort}`,
  columns: SortColumns<Sort>,
): SortColumn => columns[(isDescending(sort) ? sort.slice(1) : sort) as Sort];

/** Whatever comes after a position; an index on column and id leads straight to it. */
export function isAfter<Sort extends string>(
  sort: Sort | `-${Sort}`,
  columns: SortColumns<Sort>,
  { key, id }: Position,
): Fragment {
  const { column, type } = sortColumn(sort, columns);
  const from =
    type === 'time'
      ? sql`timestamptz 'epoch' + ${key}::text::bigint * interval '1 microsecond'`
      : sql`${key}::text`;
  return isDescending(sort)
    ? sql`(${column}, id) < (${from}, ${id}::bigint)`
    : sql`(${column}, id) > (${from}, ${id}::bigint)`;
}

/**
 * A `page` is read with one item more than it shows, which tells whether there is more. Its items have a `place`, and as
 * `key` what they are sorted by. What is asked of it are aggregates of one scan: a part that is read several times is
 * written down first, which costs a list of 200 names half as much again.
 */
type Page = Pick<ListQuery<string>, 'limit' | 'offset'>;

/** How much of a list is read for a page. */
export const withOneMore = ({ limit, offset }: Page): Fragment =>
  sql`limit ${limit}::bigint + 1 offset ${offset}::bigint`;

/** For an aggregate of a page: leaves out the item that is not shown. */
export const ifShown = (page: Page): Fragment => sql`filter (where page.place <= ${lastPlace(page)})`;

/** An aggregate of a page: the position at which its shown part ends, if there is more. */
export function endOfPage(page: Page, type: SortColumn['type']): Fragment {
  const isLast = sql`filter (where page.place = ${lastPlace(page)})`;
  const last = sql`max(page.key) ${isLast}`;
  const key = type === 'time' ? sql`(extract(epoch from ${last}) * 1000000)::bigint::text` : last;
  return sql`case when count(*) > ${page.limit}::bigint then json_build_array(${key}, max(page.id) ${isLast})::text end`;
}

const lastPlace = ({ limit, offset }: Page): Fragment => sql`${offset}::bigint + ${limit}::bigint`;

type Lists = Pick<Database, 'lists' | 'listTurns'>;

/**
 * Runs one statement on the connections for lists when it is the registrar's turn. The next page of an answer that
 * has begun is `admitted`: it waits as long as it takes, because it can no longer be refused.
 */
export async function inListTurn<T>(
  { lists, listTurns }: Lists,
  { registrarId }: Pick<Principal, 'registrarId'>,
  work: (db: Sql) => Promise<T>,
  options?: { readonly admitted: boolean },
): Promise<T> {
  try {
    return await listTurns.run(registrarId, () => work(lists), options);
  } catch (error) {
    if (error instanceof QueueFull) return refuse('overload');
    throw error;
  }
}
