import type { Sql } from '../sql/executor.ts';
import { Statement } from '../sql/statement.ts';

/** Text of SQL with named places (`:name`), put together once when the program is loaded. */
export type Text<Names extends string = string> = string & { readonly places?: Names };
type Values<Names extends string> = Readonly<Record<Names, unknown>>;

export const PLACE = /(?<![:\w]):([a-z]\w*)/gi;

/** A statement that is asked often: its text is put together once, with each call only the values are new. */
export function statement<Row extends object, Names extends string>(text: Text<Names>) {
  const names = [...text.matchAll(PLACE)].map(([, name]) => name as Names);
  const strings = text.split(PLACE).filter((_, index) => index % 2 === 0);
  return (db: Sql, values: Values<Names>): Promise<Row[]> =>
    db.rows(
      new Statement<Row>(
        strings,
        names.map((name) => values[name]),
      ),
    );
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
