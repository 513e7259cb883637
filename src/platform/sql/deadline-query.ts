import type { Statement } from './statement.ts';
import { type Answered, StatementQuery } from './statement-query.ts';

/** Times of the server's clock, as text. */
export type Limits = { readonly beginBy: string; readonly endBy: string };

/** Finds no row, or fails; the function is one of the schema. */
export const PREPARED_CHECK = {
  name: 'require_in_time',
  text: 'select where require_in_time(transaction_timestamp(), $1, $2)',
} as const;

/** The same check as the first statement of a message that commits. */
export const limitsText = ({ beginBy, endBy }: Limits): string =>
  `select require_in_time(statement_timestamp(), '${beginBy}', '${endBy}')`;

/** What of the driver's connection a query writes to. */
type Wire = {
  bind(message: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(message: object): void;
  sync(): void;
};

/**
 * A statement with a check behind it, in one message and therefore in one transaction: where the server comes to the
 * check too late, it undoes the statement. Without it a statement that waits in a proxy or for a server that does not
 * run would be carried out long after its client was told that it failed.
 */
export class DeadlineQuery<Row extends object> extends StatementQuery<Row> {
  /** Also without a name and without values in the way that takes several statements before one end. */
  readonly queryMode = 'extended';
  readonly #limits: Limits;
  #isComplete = false;

  constructor(statement: Statement<Row>, isPrepared: boolean, limits: Limits, answered: Answered<Row>) {
    super(statement, isPrepared, answered);
    this.#limits = limits;
  }

  /** The driver calls it when the statement is bound, to have it executed. */
  _getRows(connection: Wire): void {
    const { beginBy, endBy } = this.#limits;
    connection.execute({});
    connection.bind({ statement: PREPARED_CHECK.name, values: [beginBy, endBy] });
    connection.execute({});
    connection.sync();
  }

  /** The second answer is that to the check, and there is nothing in it. */
  override handleCommandComplete(message: { readonly text: string }): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    super.handleCommandComplete(message);
  }
}
