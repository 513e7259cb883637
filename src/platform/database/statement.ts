import type postgres from 'postgres';
import type { Sql } from './database.ts';

/** Text of SQL with named places (`:name`), put together once when the program is loaded. */
export type Text<Names extends string = string> = string & { readonly places?: Names };
type Values<Names extends string> = Readonly<Record<Names, unknown>>;

export const PLACE = /(?<![:\w]):([a-z]\w*)/gi;

/** A statement that is asked often: its text is put together once, with each call only the values are new. */
export function statement<Row extends object, Names extends string>(text: Text<Names>) {
  const names: string[] = [];
  const numbered = text.replace(PLACE, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return (sql: Sql, values: Values<Names>): Promise<Row[]> =>
    sql.unsafe<Row[]>(
      numbered,
      names.map((name) => values[name as Names] as postgres.SerializableParameter),
      { prepare: true },
    ) as unknown as Promise<Row[]>;
}

/** The same statement for the same variant: each is put together once. */
export function remembered<Variant extends readonly (string | boolean)[], Made>(
  make: (...variant: Variant) => Made,
): (...variant: Variant) => Made {
  const made = new Map<string, Made>();
  return (...variant) => {
    const key = variant.join(' ');
    const known = made.get(key) ?? make(...variant);
    made.set(key, known);
    return known;
  };
}
