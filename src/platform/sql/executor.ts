import type { Answer } from './connection.ts';
import { UnexpectedRows } from './errors.ts';
import type { Statement } from './statement.ts';

/** Runs statements: a pool, or a transaction on one of its connections. */
export type Sql = {
  rows<Row extends object>(statement: Statement<Row>): Promise<Row[]>;
  /** The row that must be there; none or several are an error of ours. */
  one<Row extends object>(statement: Statement<Row>): Promise<Row>;
  /** The row by a key that may be unknown. */
  maybe<Row extends object>(statement: Statement<Row>): Promise<Row | undefined>;
  /** For what it does; tells how many rows it was done to. */
  run(statement: Statement): Promise<number>;
  /** Statements without values, as a file has them. */
  script(text: string): Promise<void>;
};

/** What can also begin a transaction; within a transaction that is a part of it, which fails by itself. */
export type Pool = Sql & {
  begin<T>(work: (transaction: Pool) => Promise<T>, options?: BeginOptions): Promise<T>;
};

/** How long one of the statements may run, where that is longer than usual; not for a part of a transaction. */
export type BeginOptions = { readonly statementTimeoutMs?: number };

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
