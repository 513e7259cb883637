import type { Statement } from '../sql/statement.ts';
import { type Answered, type Sending, StatementQuery, type Wire } from './statement-query.ts';

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

  constructor(statement: Statement<Row>, sending: Sending, limits: Limits, answered: Answered<Row>) {
    super(statement, sending, answered);
    this.#limits = limits;
  }

  override _getRows(wire: Wire): void {
    const { beginBy, endBy } = this.#limits;
    wire.execute({});
    wire.bind({ statement: PREPARED_CHECK.name, values: [beginBy, endBy] });
    wire.execute({});
    wire.sync();
  }

  /** The second answer is that of the check, and empty. */
  override handleCommandComplete(message: { readonly text: string }): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    super.handleCommandComplete(message);
  }
}
