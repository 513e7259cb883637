import type { Connection } from './connection.ts';
import { CommitRefused, codeOf, SavepointOpen, type TransactionEnd, TransactionEnded } from './errors.ts';
import { executorOf, type Pool, type Sender } from './executor.ts';
import type { Statement } from './statement.ts';

const ABORTED = '25P02';

/**
 * A transaction as a value with an end: after a commit, a rollback or a loss it refuses everything, so that nothing of
 * it can reach a connection that belongs to another by then.
 */
export class Transaction implements Sender {
  readonly #connection: Connection;
  readonly #depth: number;
  #end: TransactionEnd | undefined;
  #hasSavepoint = false;
  /** Settled when every statement that was asked for so far is answered. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(connection: Connection, depth: number) {
    this.#connection = connection;
    this.#depth = depth;
  }

  /** Where this fails nothing was done, and it can be begun again on another connection. */
  static async begin(connection: Connection, depth = 0): Promise<Transaction> {
    await connection.sendText(depth === 0 ? 'begin' : `savepoint s${depth}`);
    return new Transaction(connection, depth);
  }

  /** Commits what the work did, or nothing of it. */
  async carryOut<T>(work: (transaction: Pool) => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await work(this.#asPool());
    } catch (error) {
      await this.#settle();
      await this.#rollBack();
      throw error;
    }
    await this.#settle();
    await this.#commit();
    return result;
  }

  send<Row extends object>(statement: Statement<Row>) {
    return this.#inTurn(() => this.#connection.send(statement, false));
  }

  sendText(text: string) {
    return this.#inTurn(() => this.#connection.sendText(text));
  }

  #asPool(): Pool {
    return { ...executorOf(this), begin: (work) => this.#savepoint(work) };
  }

  async #savepoint<T>(work: (transaction: Pool) => Promise<T>): Promise<T> {
    this.#requireOpen();
    this.#hasSavepoint = true;
    try {
      await this.#settle();
      const inner = await Transaction.begin(this.#connection, this.#depth + 1);
      return await inner.carryOut(work);
    } finally {
      this.#hasSavepoint = false;
    }
  }

  /** One statement after the other, also where several are asked for at once. */
  #inTurn<T>(send: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    const sent = this.#last.then(() => {
      this.#requireAlive();
      return send();
    });
    this.#last = sent.catch(() => {});
    return sent;
  }

  #requireOpen(): void {
    this.#requireAlive();
    if (this.#hasSavepoint) throw new SavepointOpen();
  }

  #requireAlive(): void {
    if (this.#end !== undefined) throw new TransactionEnded(this.#end);
    if (!this.#connection.isUsable) throw new TransactionEnded('lost');
  }

  async #settle(): Promise<void> {
    let last: Promise<unknown> | undefined;
    while (last !== this.#last) {
      last = this.#last;
      await last;
    }
  }

  async #commit(): Promise<void> {
    this.#requireOpen();
    // From here on everything is refused, also while the answer is awaited.
    this.#end = 'committed';
    try {
      const { command } = await this.#connection.sendText(
        this.#depth === 0 ? 'commit' : `release savepoint s${this.#depth}`,
      );
      if (command !== 'ROLLBACK') return;
    } catch (error) {
      await this.#rollBack();
      throw codeOf(error) === ABORTED ? new CommitRefused(error) : error;
    }
    this.#end = 'rolled back';
    throw new CommitRefused();
  }

  /** Where it fails the connection is not at rest, and the pool lets it go. */
  async #rollBack(): Promise<void> {
    this.#end = this.#connection.isUsable ? 'rolled back' : 'lost';
    if (this.#end === 'lost') return;
    const name = `s${this.#depth}`;
    const command =
      this.#depth === 0 ? 'rollback' : `rollback to savepoint ${name}; release savepoint ${name}`;
    await this.#connection.sendText(command).catch(() => {});
  }
}
