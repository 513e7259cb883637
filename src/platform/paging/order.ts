import { type Fragment, sql } from '../sql/statement.ts';
import type { KeyType, Position } from './position.ts';

/** A column to sort by, and how its values are encoded in a position. */
export type SortColumn = { readonly column: Fragment; readonly type: KeyType };
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
  const from = {
    text: sql`${key}::text`,
    number: sql`${key}::text::bigint`,
    time: sql`timestamptz 'epoch' + ${key}::text::bigint * interval '1 microsecond'`,
  }[type];
  return isDescending(sort)
    ? sql`(${column}, id) < (${from}, ${id}::bigint)`
    : sql`(${column}, id) > (${from}, ${id}::bigint)`;
}

/** The value of a sort column as it is written in a position: a time in microseconds. */
export const keyText = (value: Fragment, type: KeyType): Fragment =>
  ({
    text: value,
    number: sql`${value}::text`,
    time: sql`(extract(epoch from ${value}) * 1000000)::bigint::text`,
  })[type];
