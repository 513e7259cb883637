import type { Answer } from '../database/database-connection.ts';
import { UnexpectedRows } from '../database/database-errors.ts';
import type { Statement } from './statement.ts';

/** Runs statements: a pool, or a transaction on one of its connections. */
export type Sql = {
  rows<Row extends object>(statement: Statement<Row>): Promise<Row[]>;
  /** The row that must exist; none or several are a bug. */
  one<Row extends object>(statement: Statement<Row>): Promise<Row>;
  /** The row of a key that may be unknown. */
  maybe<Row extends object>(statement: Statement<Row>): Promise<Row | undefined>;
  /** Runs it for its effect; returns the number of affected rows. */
  run(statement: Statement): Promise<number>;
  /** Statements without values, such as the content of a file. */
  script(text: string): Promise<void>;
};

/** Can also begin a transaction; within a transaction that is a savepoint, which can fail separately. */
export type Pool = Sql & {
  begin<T>(work: (transaction: Pool) => Promise<T>, options?: BeginOptions): Promise<T>;
};

/** Not for a savepoint. */
export type BeginOptions = {
  /** The timeout of each statement, if longer than the default. */
  readonly statementTimeoutMs?: number;
  /** How long a statement may wait for a lock, if shorter than the default. */
  readonly lockTimeoutMs?: number;
  /** Prepares the statements and plans them once, for any values: only for few rows, of which any plan is good. */
  readonly isPrepared?: boolean;
};

/** For work in many small batches, whose statements take longer to plan than some of them to run. */
export const PLANNED_ONCE: BeginOptions = { isPrepared: true };

export type Sender = {
  send<Row extends object>(statement: Statement<Row>): Promise<Answer<Row>>;
  sendText(text: string): Promise<unknown>;
};

export function executorOf(sender: Sender): Sql {
  return {
    rows: async (statement) => (await sender.send(statement)).rows,
    one: async (statement) => {
      const { rows } = await sender.send(statement);
      const [row] = rows;
      if (row === undefined || rows.length > 1)
        throw new UnexpectedRows('one row', rows.length, statement.text);
      return row;
    },
    maybe: async (statement) => {
      const { rows } = await sender.send(statement);
      if (rows.length > 1) throw new UnexpectedRows('one row or none', rows.length, statement.text);
      return rows[0];
    },
    run: async (statement) => (await sender.send(statement)).count,
    script: async (text) => {
      await sender.sendText(text);
    },
  };
}
