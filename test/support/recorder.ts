import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { Statement } from '../../src/platform/sql/statement.ts';

/** One statement as the product sent it. */
export type Recorded = Pick<Statement, 'text' | 'values'>;

/** The same executor, with something done before each statement. */
export function recordingSql(db: Sql, note: (statement: Statement) => void): Sql {
  const noted = (statement: Statement) => {
    note(statement);
    return statement;
  };
  return {
    rows: (statement) => db.rows(noted(statement) as typeof statement),
    one: (statement) => db.one(noted(statement) as typeof statement),
    maybe: (statement) => db.maybe(noted(statement) as typeof statement),
    run: (statement) => db.run(noted(statement)),
    script: (text) => db.script(text),
  };
}

export const recordingPool = (pool: Pool, note: (statement: Statement) => void): Pool => ({
  ...recordingSql(pool, note),
  begin: (work) => pool.begin((transaction) => work(recordingPool(transaction, note))),
});

/** A statement that was recorded, with its values or others. */
export const replayed = <Row extends object>(text: string, values: readonly unknown[]): Statement<Row> =>
  new Statement<Row>(text.split(/\$\d+/), values);
