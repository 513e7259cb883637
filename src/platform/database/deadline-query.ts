import type { Statement } from '../sql/statement.ts';
import { type Answered, StatementQuery } from './statement-query.ts';

/** Times of the server's clock, as text. */
export type Limits = { readonly beginBy: string; readonly endBy: string };

/** Returns no row, or fails; the function is part of the schema. */
export const PREPARED_CHECK = {
  name: 'require_in_time',
  text: 'select where require_in_time(transaction_timestamp(), $1, $2)',
} as const;

/** The same check as the first statement of a message that commits. */
export const limitsText = ({ beginBy, endBy }: Limits): string =>
  `select require_in_time(statement_timestamp(), '${beginBy}', '${endBy}')`;

/** The methods of the driver's connection that a query uses. */
type Wire = {
  bind(message: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(message: object): void;
  sync(): void;
};

/**
 * A statement followed by a check, in one message and therefore in one transaction: if the server reaches the check too
 * late, it rolls the statement back. Otherwise a statement delayed by a proxy or a suspended server would take effect
 * long after its client was told that it failed.
 */
export class DeadlineQuery<Row extends object> extends StatementQuery<Row> {
  /** The extended protocol allows several statements before one Sync, even without a name or values. */
  readonly queryMode = 'extended';
  readonly #limits: Limits;
  #isComplete = false;

  constructor(statement: Statement<Row>, isPrepared: boolean, limits: Limits, answered: Answered<Row>) {
    super(statement, isPrepared, answered);
    this.#limits = limits;
  }

  /** The driver calls it once the statement is bound, to execute it. */
  _getRows(connection: Wire): void {
    const { beginBy, endBy } = this.#limits;
    connection.execute({});
    connection.bind({ statement: PREPARED_CHECK.name, values: [beginBy, endBy] });
    connection.execute({});
    connection.sync();
  }

  /** The second answer is that of the check, and empty. */
  override handleCommandComplete(message: { readonly text: string }): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    super.handleCommandComplete(message);
  }
}
