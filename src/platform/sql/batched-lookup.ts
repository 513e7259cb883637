import { batchedBy } from '../concurrency/micro-batcher.ts';
import type { Sql } from './executor.ts';
import { constant, type Fragment, identifier, type Statement, sql, text } from './statement.ts';

const MAX_BATCH = 64;

type Scalar = 'text' | 'bigint' | 'int' | 'timestamptz';
type Key = string | number;

/**
 * A frequent lookup by key: concurrent ones share one statement. It is written for the columns of a row `asked` of the
 * given types, and finds at most one row.
 */
export function batchedLookup<Row extends object, Names extends string>(
  types: Readonly<Record<Names, Scalar>>,
  question: (asked: Readonly<Record<Names, Fragment>>) => Statement<Row>,
) {
  const names = Object.keys(types) as Names[];
  const column = (name: string) => sql`asked.${identifier(name)}`;
  const answer = constant(
    question(Object.fromEntries(names.map((name) => [name, column(name)])) as Record<Names, Fragment>),
  );
  const columns = constant(listed([...names, 'position'].map((name) => sql`${identifier(name)}`)));
  const arrays = names.map((name) => ({ name, type: text(`::${types[name]}[]`) }));
  const lookupAll = (keys: readonly Readonly<Record<Names, Key>>[]) => sql<Row & { position: number }>`
    select asked."position"::int as position, answer.*
    from unnest(${listed(arrays.map(({ name, type }) => sql`${keys.map((one) => one[name])}${type}`))})
      with ordinality as asked(${columns})
    cross join lateral (${answer}) as answer`;
  return batchedBy(async (db: Sql, keys: readonly Readonly<Record<Names, Key>>[]) => {
    const rows = await db.rows(lookupAll(keys));
    const answers = new Map<number, Row>(rows.map((row) => [row.position, row]));
    return keys.map((_, index) => answers.get(index + 1));
  }, MAX_BATCH);
}

const listed = (items: readonly Fragment[]): Fragment => items.reduce((all, item) => sql`${all}, ${item}`);

/**
 * Whether a query by key finds a row, evaluated per row. Unlike `exists`, a scalar subselect is never planned as a hash
 * of the whole other table.
 */
export const existsByKey = (query: Fragment): Fragment => sql`coalesce((${query} limit 1), false)`;
