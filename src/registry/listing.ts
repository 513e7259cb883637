import { QueueFull } from '../platform/concurrency/fair-queue.ts';
import type { Database } from '../platform/sql/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';
import type { RegistrarScope } from './actor.ts';
import { refuse } from './registry-refusals.ts';

/** One page of a list: the parameters all lists share. */
export type ListQuery<Sort extends string> = {
  readonly limit: number;
  readonly offset: number;
  readonly q?: string | undefined;
  readonly sort: Order<Sort>;
  readonly after?: Position | undefined;
};

/** Where a page ended: the sort key (a time in microseconds) and the id. */
export type Position = { readonly key: string; readonly id: number };
/** The position as returned by a statement: a JSON array, or null at the end of the list. */
export const readPosition = (text: string | null): Position | undefined => {
  if (text === null) return undefined;
  const [key, id] = JSON.parse(text) as [string, number];
  return { key, id };
};

/** A column to sort by, and how its values are encoded in a position. */
export type SortColumn = { readonly column: Fragment; readonly type: 'text' | 'time' };
export type SortColumns<Sort extends string> = Readonly<Record<Sort, SortColumn>>;

/** A sort, or the same descending. */
export type Order<Sort extends string> = Sort | `-${Sort}`;

/** The sorts of an interface by its own names, each also descending with a leading minus. */
export const withDescending = <Name extends string, Sort extends string>(
  sorts: Readonly<Record<Name, Sort>>,
): Readonly<Record<Order<Name>, Order<Sort>>> => {
  const entries = Object.entries<Sort>(sorts);
  return Object.fromEntries([...entries, ...entries.map(([name, sort]) => [`-${name}`, `-${sort}`])]);
};

/** The highest code point: all texts with a given prefix sort before the prefix followed by it. */
const LAST = '\u{10FFFF}';

/** A prefix match as a range, which an index in byte order supports under any plan. */
export const startsWith = (column: Fragment, prefix: string): Fragment =>
  sql`(${column} >= ${prefix} and ${column} < ${prefix + LAST})`;

/** Ties are ordered by id, so that pages neither overlap nor leave gaps. */
export function orderBy<Sort extends string>(sort: Order<Sort>, columns: SortColumns<Sort>): Fragment {
  const { column } = sortColumn(sort, columns);
  return isDescending(sort) ? sql`${column} desc, id desc` : sql`${column}, id`;
}

const isDescending = (sort: string): boolean => sort.startsWith('-');

export const sortColumn = <Sort extends string>(sort: Order<Sort>, columns: SortColumns<Sort>): SortColumn =>
  columns[(isDescending(sort) ? sort.slice(1) : sort) as Sort];

/** Keyset pagination: rows after a position, found through an index on column and id. */
export function isAfter<Sort extends string>(
  sort: Order<Sort>,
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
  const key = type === 'time' ? sql`(extract(epoch from ${last}) * 1000000)::bigint::text` : last;
  return sql`case when count(*) > ${page.limit}::bigint then json_build_array(${key}, max(page.id) ${isLast})::text end`;
}

const lastPosition = ({ limit, offset }: Page): Fragment => sql`${offset}::bigint + ${limit}::bigint`;

type Lists = Pick<Database, 'replicaLists' | 'listTurns'>;

/**
 * Runs one statement on the list connections when it is the registrar's turn. A further page of an answer that is being
 * streamed is `admitted`: it waits without bound, because it can no longer be refused.
 */
export async function inListTurn<T>(
  { replicaLists, listTurns }: Lists,
  { registrarId }: RegistrarScope,
  work: (db: Sql) => Promise<T>,
  options?: { readonly admitted: boolean },
): Promise<T> {
  try {
    return await listTurns.run(registrarId, () => work(replicaLists), options);
  } catch (error) {
    if (error instanceof QueueFull) return refuse('overload');
    throw error;
  }
}

/** Statements that are each run as a list is, when it is the registrar's turn. */
export const listStatements = (lists: Lists, scope: RegistrarScope): Sql => ({
  rows: (statement) => inListTurn(lists, scope, (db) => db.rows(statement)),
  one: (statement) => inListTurn(lists, scope, (db) => db.one(statement)),
  maybe: (statement) => inListTurn(lists, scope, (db) => db.maybe(statement)),
  run: (statement) => inListTurn(lists, scope, (db) => db.run(statement)),
  script: (text) => inListTurn(lists, scope, (db) => db.script(text)),
});
