import type { Text } from '../platform/database/statement.ts';

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

/** A prefix as a range, which an index in byte order answers whatever the plan; see prefixRange. */
export const startsWith = (column: string): Text<'from' | 'until'> =>
  `(${column} >= :from and ${column} < :until)`;

export const prefixRange = (prefix = ''): { from: string; until: string } => ({
  from: prefix,
  until: prefix + LAST,
});

/** Orders by a column and, where it is equal, by age, so that pages neither overlap nor leave gaps. */
export function orderBy<Sort extends string>(
  sort: Sort | `-${Sort}`,
  columns: Readonly<Record<Sort, string>>,
): string {
  const descending = sort.startsWith('-');
  const column = columns[(descending ? sort.slice(1) : sort) as Sort];
  return descending ? `${column} desc, id desc` : `${column}, id`;
}
