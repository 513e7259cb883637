import { type Fragment, sql, text } from './statement.ts';

/**
 * JSON that a statement concatenates as text, for objects that are read often. `row_to_json` determines the type of
 * every column again for every row: a list of 200 domains took 14 instead of 12 ms of the database with it.
 */

/** An object of members, each of them JSON as text and never null. */
export function textObject(members: Readonly<Record<string, Fragment>>): Fragment {
  const written = Object.entries(members).map(([name, value], index) => {
    const before = text(`'${index === 0 ? '{' : ','}${JSON.stringify(name).replaceAll("'", "''")}:' || `);
    return sql`${before}${value} || `;
  });
  return sql`(${written.reduce((all, member) => sql`${all}${member}`)}'}')`;
}

/** An aggregate: the items in order, or null if there are none. */
export const textList = (item: Fragment, order: Fragment, filter: Fragment = sql``): Fragment =>
  sql`('[' || string_agg(${item}, ',' order by ${order}) ${filter} || ']')`;

/** A value that is never null. */
export const textOf = (value: Fragment): Fragment => sql`to_json(${value})::text`;

export const textOrNull = (value: Fragment): Fragment => sql`coalesce(to_json(${value})::text, 'null')`;

/** An array that is empty as a rule. */
export const textOfArray = (array: Fragment): Fragment =>
  sql`case when ${array} = '{}' then '[]' else array_to_json(${array})::text end`;
