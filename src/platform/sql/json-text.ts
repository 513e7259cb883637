import { type Fragment, isoTime, quoted, sql, text } from './statement.ts';

/**
 * JSON that a statement concatenates as text, for objects that are read often. `row_to_json` determines the type of
 * every column again for every row: a list of 200 domains took 14 instead of 12 ms of the database with it.
 */

type OptionalMember = { readonly ifPresent: Fragment };

/** An object of members, each of them JSON as text and never null; the first is not optional. */
export function textObject(members: Readonly<Record<string, Fragment | OptionalMember>>): Fragment {
  const written = Object.entries(members).map(([name, member], index) => {
    const before = text(`'${index === 0 ? '{' : ','}${JSON.stringify(name).replaceAll("'", "''")}:' || `);
    return 'ifPresent' in member
      ? sql`coalesce(${before}${member.ifPresent}, '') || `
      : sql`${before}${member} || `;
  });
  return sql`(${written.reduce((all, member) => sql`${all}${member}`)}'}')`;
}

/** An aggregate: the items in order, or null if there are none. */
export const textList = (item: Fragment, order: Fragment, filter: Fragment = sql``): Fragment =>
  sql`('[' || string_agg(${item}, ',' order by ${order}) ${filter} || ']')`;

/** A value that is never null. */
export const textOf = (value: Fragment): Fragment => sql`to_json(${value})::text`;

/** A member that an object has only where the value is not null. */
export const ifPresent = (value: Fragment): OptionalMember => ({ ifPresent: textOf(value) });

export const textOrNull = (value: Fragment): Fragment => sql`coalesce(to_json(${value})::text, 'null')`;

/** An array that is empty as a rule. */
export const textOfArray = (array: Fragment): Fragment =>
  sql`case when ${array} = '{}' then '[]' else array_to_json(${array})::text end`;

export const textOfTime = (time: Fragment): Fragment => sql`coalesce('"' || ${isoTime(time)} || '"', 'null')`;

/** A value of type json. */
export const textOfJson = (value: Fragment): Fragment => sql`(${value})::text`;

export const textOfBoolean = (value: Fragment): Fragment =>
  sql`case when ${value} then 'true' else 'false' end`;

/** One of a few values, under the name that is given for it. */
export const nameOf = (value: Fragment, names: Readonly<Record<string, string>>): Fragment =>
  sql`case ${value}${Object.entries(names)
    .map(([one, name]) => sql` when ${quoted(one)} then ${quoted(name)}`)
    .reduce((all, one) => sql`${all}${one}`)} end`;

/** The same as JSON text. */
export const textOfName = (value: Fragment, names: Readonly<Record<string, string>>): Fragment =>
  nameOf(value, Object.fromEntries(Object.entries(names).map(([one, name]) => [one, JSON.stringify(name)])));
