import type { Deadline } from '../concurrency/deadline.ts';
import { currentDeadline, requireTime } from '../work-scope.ts';
import type { Connection } from '../database/database-connection.ts';
import {
  CommitRefused,
  codeOf,
  SavepointOpen,
  type TransactionEnd,
  TransactionEnded,
} from '../database/database-errors.ts';
import { type BeginOptions, executorOf, type Pool, type Sender } from './executor.ts';
import type { Statement } from './statement.ts';

const ABORTED = '25P02';

/**
 * A transaction as a value with an end: after a commit, a rollback or a loss it refuses everything, so that none of its
 * statements can reach a connection that another caller has by then.
 */
export class Transaction implements Sender {
  readonly #connection: Connection;
  readonly #depth: number;
  readonly #isPrepared: boolean;
  readonly #deadline: Deadline | undefined = currentDeadline();
  #end: TransactionEnd | undefined;
  #hasSavepoint = false;
  /** Settles when every statement submitted so far is answered. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(connection: Connection, depth: number, isPrepared: boolean) {
    this.#connection = connection;
    this.#depth = depth;
    this.#isPrepared = isPrepared;
  }

  /** If this fails nothing was done, and it can be begun again on another connection. */
  static async begin(
    connection: Connection,
    begin: string,
    { statementTimeoutMs, lockTimeoutMs, isPrepared = false }: BeginOptions,
  ): Promise<Transaction> {
    connection.extraTimeMs = statementTimeoutMs ?? 0;
    const settings = {
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      plan_cache_mode: isPrepared ? 'force_generic_plan' : undefined,
    };
    const texts = Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : `set local ${name} = ${value}`,
    );
    await connection.sendText([begin, ...texts].join('; '));
    return new Transaction(connection, 0, isPrepared);
  }

  /** Commits the work, or rolls all of it back. */
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
    return this.#inTurn(() => this.#connection.send(statement, this.#isPrepared));
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
      const depth = this.#depth + 1;
      await this.#connection.sendText(`savepoint s${depth}`);
      return await new Transaction(this.#connection, depth, this.#isPrepared).carryOut(work);
    } finally {
      this.#hasSavepoint = false;
    }
  }

  /** Serialises statements, even if several are submitted at once. */
  #inTurn<T>(send: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    const sent = this.#last.then(() => {
      this.#requireAlive();
      requireTime(this.#deadline);
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
    // From here on everything is refused, even while the answer is pending.
    this.#end = 'committed';
    try {
      const { command } = await this.#sendCommit();
      if (command !== 'ROLLBACK') return;
    } catch (error) {
      await this.#rollBack();
      throw codeOf(error) === ABORTED ? new CommitRefused(error) : error;
    }
    this.#end = 'rolled back';
    throw new CommitRefused();
  }

  #sendCommit() {
    if (this.#depth > 0) return this.#connection.sendText(`release savepoint s${this.#depth}`);
    if (!this.#connection.checksDeadlines) return this.#connection.sendText('commit');
    requireTime(this.#deadline);
    return this.#connection.commitInTime(this.#deadline?.at ?? Number.POSITIVE_INFINITY);
  }

  /** If it fails the connection is still in a transaction, and the pool discards it. */
  async #rollBack(): Promise<void> {
    this.#end = this.#connection.isUsable ? 'rolled back' : 'lost';
    if (this.#end === 'lost') return;
    const name = `s${this.#depth}`;
    const command =
      this.#depth === 0 ? 'rollback' : `rollback to savepoint ${name}; release savepoint ${name}`;
    await this.#connection.sendText(command).catch(() => {});
  }
}
