import { type Inserted, type Statement, sql as strict } from '../../src/platform/sql/statement.ts';

/** The tag of statements; rows that a test does not describe may have any columns. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at the columns that it has selected a line above
export const sql = <Row extends object = Record<string, any>>(
  strings: TemplateStringsArray,
  ...inserted: readonly Inserted[]
): Statement<Row> => strict<Row>(strings, ...inserted);
