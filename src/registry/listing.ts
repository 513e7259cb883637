import type { Fragment, Sql } from '../platform/database/database.ts';

/** One page of a list: what every list has in common. */
export type ListQuery<Sort extends string> = {
  readonly limit: number;
  readonly offset: number;
  readonly details: boolean;
  readonly q?: string | undefined;
  readonly sort: Sort | `-${Sort}`;
};

/** Names of sorts, each also descending with a leading minus. */
export const bothWays = <Sort extends string>(...sorts: readonly Sort[]): (Sort | `-${Sort}`)[] => [
  ...sorts,
  ...sorts.map((sort) => `-${sort}` as const),
];

/** The last code point: whatever starts with a text sorts before that text followed by it. */
const LAST = '\u{10FFFF}';

/** A prefix as a range, which an index in byte order answers whatever the plan. */
export function startsWith(sql: Sql, column: string, prefix: string): Fragment {
  return sql`(${sql(column)} >= ${prefix} and ${sql(column)} < ${prefix + LAST})`;
}

/** Orders by a column and, where it is equal, by age, so that pages neither overlap nor leave gaps. */
export function orderBy<Sort extends string>(
  sql: Sql,
  sort: Sort | `-${Sort}`,
  columns: Readonly<Record<Sort, string>>,
): Fragment {
  const descending = sort.startsWith('-');
  const column: string = columns[(descending ? sort.slice(1) : sort) as Sort];
  return descending ? sql`${sql(column)} desc, id desc` : sql`${sql(column)}, id`;
}
