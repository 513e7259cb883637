import type { Text } from '../platform/database/statement.ts';

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
export type SortColumn = { readonly column: string; readonly type: 'text' | 'time' };
export type SortColumns<Sort extends string> = Readonly<Record<Sort, SortColumn>>;

/** Names of sorts, each also descending with a leading minus. */
export const bothWays = <Sort extends string>(...sorts: readonly Sort[]): (Sort | `-${Sort}`)[] => [
  ...sorts,
  ...sorts.map((sort) => `-${sort}` as const),
];

/** The last code point: whatever starts with a text sorts before that text followed by it. */
const LAST = '\u{10FFFF}';

/** A prefix as a range, which an index in byte order answers whatever the plan; see prefixRange. */
export const startsWith = (column: string): Text<'from' | 'until'> =>
  `(${column} >= :from and ${column} < :until)`;

export const prefixRange = (prefix = ''): { from: string; until: string } => ({
  from: prefix,
  until: prefix + LAST,
});

/** Orders by a column and, where it is equal, by age, so that pages neither overlap nor leave gaps. */
export function orderBy<Sort extends string>(sort: Sort | `-${Sort}`, columns: SortColumns<Sort>): string {
  const { column } = sortColumn(sort, columns);
  return isDescending(sort) ? `${column} desc, id desc` : `${column}, id`;
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
): Text<'afterKey' | 'afterId'> {
  const { column, type } = sortColumn(sort, columns);
  const key =
    type === 'time'
      ? "timestamptz 'epoch' + :afterKey::text::bigint * interval '1 microsecond'"
      : ':afterKey::text';
  return `(${column}, id) ${isDescending(sort) ? '<' : '>'} (${key}, :afterId::bigint)`;
}

/**
 * Of a `page` with one item more than it shows, and a column `place`: where the shown part ends, if there is more. Its
 * sort column is named `key`.
 */
export const endOfPage = (type: SortColumn['type']): Text<'limit' | 'offset'> => {
  const key = type === 'time' ? '(extract(epoch from key) * 1000000)::bigint::text' : 'key';
  return `(select json_build_array(${key}, id) from page
    where place = :offset::bigint + :limit::bigint and exists (select from page where place > :offset::bigint + :limit::bigint))::text`;
};

/** The items of that page that are shown. */
export const SHOWN: Text<'limit' | 'offset'> =
  '(select * from page where place <= :offset::bigint + :limit::bigint)';
